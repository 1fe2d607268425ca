import { type Quota, type Run, type StartRunOutcome, StoreError, type ThreadMessage } from 'handrail'
import { json } from './columns.ts'
import { placeMessage } from './place-message.ts'
import { spendQuotas, usedUp } from './quotas.ts'
import { type RunRow, toRun } from './run-row.ts'
import type { StoreSession, StoreTransactions } from './store-transactions.ts'

type NewRun = Pick<Run, 'runId' | 'tenantId' | 'threadId' | 'principal' | 'pack' | 'scope' | 'mode'>
type NewMessage = Pick<ThreadMessage, 'messageId' | 'parts'>

/** Thrown to roll back what a start had spent. */
class QuotaUsedUp extends Error {}

/** Starts a run on a thread, or queues the message for the run that lives on it. Runs are locked before their threads. */
export async function startRun(
  transactions: StoreTransactions,
  run: NewRun,
  message: NewMessage | undefined,
  quotas: readonly Quota[],
): Promise<StartRunOutcome> {
  const { tenantId } = run
  for (let tries = 1; ; tries++) {
    try {
      const outcome = await transactions.run(tenantId, (session) => startOrJoin(session, run, message, quotas))
      if (outcome !== undefined) return outcome
    } catch (error) {
      if (!(error instanceof QuotaUsedUp)) throw error
      const limited = await transactions.run(tenantId, (session) => usedUp(session, tenantId, quotas))
      if (limited !== undefined) return limited
    }
    if (tries === 5) throw new StoreError('A run could not be started, and nothing stands against it.')
  }
}

/** Undefined when the live run ended, or another was started, between the two looks. */
async function startOrJoin(
  session: StoreSession,
  run: NewRun,
  message: NewMessage | undefined,
  quotas: readonly Quota[],
): Promise<StartRunOutcome | undefined> {
  const live = await lockLive(session, run)
  if (live !== undefined) return { kind: 'live', run: message ? await queue(session, live, message) : live }
  if (!(await spendQuotas(session, run.tenantId, quotas))) throw new QuotaUsedUp()
  const { rows } = await session.query<RunRow>({
    text: `
      insert into handrail.runs (tenant_id, run_id, thread_id, user_id, principal, pack, scope, mode, status, created_at)
      select $1, $2, $3::text, $4, $5::json, $6, $7::json, $8, 'running', now()
      where exists (select from handrail.threads where tenant_id = $1 and thread_id = $3)
      on conflict (tenant_id, thread_id) where status in ('running', 'waiting') do nothing returning *`,
    values: [
      run.tenantId,
      run.runId,
      run.threadId,
      run.principal.userId,
      json(run.principal),
      run.pack,
      json(run.scope),
      run.mode,
    ],
  })
  if (rows[0] === undefined) {
    await requireThread(session, run)
    // Another run was started meanwhile; what this one spent must not stay spent.
    if (quotas.length > 0) throw new QuotaUsedUp()
    return undefined
  }
  if (message !== undefined) {
    await placeMessage(session, run.tenantId, { ...message, threadId: run.threadId, role: 'user', runId: run.runId })
  }
  return { kind: 'started', run: toRun(rows[0]) }
}

async function lockLive(session: StoreSession, { tenantId, threadId }: NewRun): Promise<Run | undefined> {
  const { rows } = await session.query<RunRow>({
    text: `
      select * from handrail.runs where tenant_id = $1 and thread_id = $2 and status in ('running', 'waiting') for update`,
    values: [tenantId, threadId],
  })
  return rows[0] && toRun(rows[0])
}

/** Queues a message for a live run and marks the run for waking. A message that was delivered already is left alone. */
async function queue(session: StoreSession, live: Run, message: NewMessage): Promise<Run> {
  const { tenantId, threadId, runId } = live
  const { rows } = await session.query<RunRow>({
    text: `
      with queued as (
        insert into handrail.queued_messages (tenant_id, thread_id, message_id, parts)
        select $1, $2, $3::text, $4::json
        where not exists (select from handrail.messages where tenant_id = $1 and thread_id = $2 and message_id = $3)
        on conflict (tenant_id, thread_id, message_id) do update set parts = excluded.parts
        returning message_id
      )
      update handrail.runs set wake_at = clock_timestamp() from queued where tenant_id = $1 and run_id = $5 returning runs.*`,
    values: [tenantId, threadId, message.messageId, json(message.parts), runId],
  })
  return rows[0] ? toRun(rows[0]) : live
}

async function requireThread(session: StoreSession, { tenantId, threadId }: NewRun): Promise<void> {
  const { rows } = await session.query({
    text: 'select from handrail.threads where tenant_id = $1 and thread_id = $2',
    values: [tenantId, threadId],
  })
  if (rows.length === 0) throw new StoreError(`Thread ${threadId} does not exist`)
}
