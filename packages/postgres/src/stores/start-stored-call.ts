import { type ClaimOutcome, type ClaimRequest, entryOf, type LeaseFence, type StoredCall } from 'handrail'
import { consumeApproval } from './approval-use.ts'
import { type CallRow, selectCall, toCall } from './call-row.ts'
import { moment } from './columns.ts'
import { append } from './entry-row.ts'
import { spendQuotas } from './quotas.ts'
import type { StoreSession } from './store-transactions.ts'

export type Refusal = Exclude<ClaimOutcome, { kind: 'claimed' }>

/**
 * Thrown inside a transaction that must be rolled back, with what to answer instead. What is not known yet is found out
 * afterwards, when quotas that this transaction spent are no longer in the way.
 */
export class NothingClaimed extends Error {
  readonly outcome: Refusal | 'quota' | 'something'

  constructor(outcome: Refusal | 'quota' | 'something') {
    super('nothing was claimed')
    this.outcome = outcome
  }
}

/** Uses up the approval and starts the call that waited for it. */
export async function startApproved(
  session: StoreSession,
  request: ClaimRequest,
  claimToken: string,
): Promise<StoredCall> {
  const { tenantId, callId } = request.call
  await requireLease(session, tenantId, request.lease)
  const use = await consumeApproval(session, tenantId, callId, request.approval)
  if (use.kind === 'refused') throw new NothingClaimed({ kind: 'not-approved', why: use.why, call: use.call })
  return start(session, request, use.call, claimToken)
}

/** Takes over an attempt that ran out. Waits for a transaction that still holds the call. */
export async function startRecovery(
  session: StoreSession,
  request: ClaimRequest,
  claimToken: string,
): Promise<StoredCall> {
  const { tenantId, callId, attempt } = request.call
  await requireLease(session, tenantId, request.lease)
  // Locked first, judged afterwards: the statement that waited for the lock would join the payload as it was before.
  await session.query({
    text: 'select from handrail.calls where tenant_id = $1 and call_id = $2 for update',
    values: [tenantId, callId],
  })
  const found = await session.query<CallRow & { ran_out: boolean }>({
    text: `select x.*, coalesce(x.attempt_until < clock_timestamp(), false) as ran_out from (${selectCall} where c.tenant_id = $1 and c.call_id = $2) x`,
    values: [tenantId, callId],
  })
  const row = found.rows[0]
  if (row === undefined) throw new NothingClaimed({ kind: 'not-approved', why: 'missing', call: undefined })
  const stored = toCall(row)
  if (stored.attempt !== attempt || stored.status !== 'running' || !row.ran_out) {
    throw new NothingClaimed({ kind: 'existing', call: stored })
  }
  return start(session, request, stored, claimToken)
}

async function start(
  session: StoreSession,
  { quotas, attemptMs }: ClaimRequest,
  stored: StoredCall,
  claimToken: string,
): Promise<StoredCall> {
  const { tenantId, callId } = stored
  if (!(await spendQuotas(session, tenantId, quotas))) throw new NothingClaimed('quota')
  const { rows } = await session.query<{ executed_at: string; attempt_until: string }>({
    text: `
      update handrail.calls set status = 'running', attempt = attempt + 1, claim_token = $3, executed_at = clock_timestamp(),
        attempt_until = clock_timestamp() + $4::float8 * interval '1 millisecond'
      where tenant_id = $1 and call_id = $2 returning executed_at, attempt_until`,
    values: [tenantId, callId, claimToken, attemptMs],
  })
  const times = rows[0]
  if (times === undefined) throw new Error('a locked call disappeared')
  const call: StoredCall = {
    ...stored,
    status: 'running',
    attempt: stored.attempt + 1,
    executedAt: moment(times.executed_at),
    attemptUntil: moment(times.attempt_until),
  }
  await append(session, entryOf('started', call, new Date()))
  return call
}

/** @throws {NothingClaimed} When the token no longer holds the run. Otherwise nobody takes it until we commit. */
export async function requireLease(
  session: StoreSession,
  tenantId: string,
  lease: LeaseFence | undefined,
): Promise<void> {
  if (lease === undefined) return
  const { rows } = await session.query({
    text: 'select from handrail.runs where tenant_id = $1 and run_id = $2 and lease_token = $3 for share',
    values: [tenantId, lease.runId, lease.token],
  })
  if (rows.length === 0) throw new NothingClaimed({ kind: 'lease-lost' })
}
