import { entryOf, type LeaseFence, type LedgerEvent, type Quota, type StoredCall } from 'handrail'
import type { Rows } from '../engine/engine.ts'
import { callColumns, callValues, payloadColumns, payloadValues } from './call-row.ts'
import { count, moment, names, placeholders } from './columns.ts'
import { entryColumns, entryValues } from './entry-row.ts'
import { quotaValues, spending } from './quotas.ts'
import { isNothingDone, orFail, type StoreSession } from './store-transactions.ts'

const callsFrom = 11
const payloadFrom = callsFrom + count(callColumns)
const entryFrom = payloadFrom + count(payloadColumns)

/**
 * A new call in one statement: lease, quotas, row, payload and ledger entry, or nothing. When it inserts nothing the
 * transaction must be rolled back, since some quotas may have been spent.
 *
 * $1 tenant, $2 $3 lease, $4 $5 $6 quotas, $7 how many, $8 attempt in ms, $9 started?, $10 ended?, then the columns.
 */
const insert = {
  name: 'handrail.insert_call',
  text: `
with held as materialized (
  select from handrail.runs where tenant_id = $1 and run_id = $2::text and lease_token = $3::text for share
), ${spending('$4', '$5', '$6')}, inserted as (
  insert into handrail.calls (${names(callColumns)}, created_at, executed_at, attempt_until, ended_at)
  select ${placeholders(callColumns, callsFrom)}, now(), case when $9 then now() end,
    case when $9 then now() + $8::float8 * interval '1 millisecond' end, case when $10 then now() end
  where ($2 is null or exists (select from held)) and (select count(*) from spent) = $7::int
  returning created_at, attempt_until
), paid as (
  insert into handrail.call_payloads (tenant_id, call_id, ${names(payloadColumns)})
  select $${callsFrom}, $${callsFrom + 1}, ${placeholders(payloadColumns, payloadFrom)} from inserted
  where $${payloadFrom} is not null
), entered as (
  insert into handrail.ledger_entries (at, ${names(entryColumns)})
  select now(), ${placeholders(entryColumns, entryFrom)} from inserted
)
select max(created_at) as created_at, max(attempt_until) as attempt_until, ${orFail} from inserted`,
}

export interface NewCall {
  call: StoredCall
  event: LedgerEvent
  quotas: readonly Quota[]
  lease: LeaseFence | undefined
  claimToken: string | undefined
  /** How long the attempt may take, for a call that starts now. */
  attemptMs: number | undefined
  ended: boolean
}

/**
 * Inserts a call. Undefined when something stood against it; the caller then rolls back and looks what it was.
 *
 * @param send `session.last` when nothing else is to be done, which saves waiting once.
 */
export async function insertCall(send: StoreSession['query'], request: NewCall): Promise<StoredCall | undefined> {
  const { call, quotas, lease, attemptMs } = request
  const { rows } = await orTaken(
    send<{ created_at: string; attempt_until: string | null }>({
      ...insert,
      values: [
        call.tenantId,
        lease?.runId,
        lease?.token,
        ...quotaValues(quotas),
        quotas.length,
        attemptMs ?? 0,
        attemptMs !== undefined,
        request.ended,
        ...callValues(call, request.claimToken),
        ...payloadValues(call.payload),
        ...entryValues(entryOf(request.event, call, new Date())),
      ],
    }),
  )
  const row = rows[0]
  if (row === undefined) return undefined
  const now = moment(row.created_at)
  return {
    ...call,
    createdAt: now,
    attemptUntil: moment(row.attempt_until),
    executedAt: attemptMs === undefined ? call.executedAt : now,
    endedAt: request.ended ? now : undefined,
  }
}

/** A taken id or key is no failure. (`on conflict` would spare the error, at the price of writing every row twice.) */
async function orTaken<Row>(inserting: Promise<Rows<Row>>): Promise<Rows<Row>> {
  try {
    return await inserting
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === '23505'
    if (isTaken || isNothingDone(error)) return { rows: [], rowCount: 0 }
    throw error
  }
}
