import { entryOf, type LeaseFence, type LedgerEvent, type Quota, type StoredCall } from 'handrail'
import { callColumns, callValues, payloadColumns, payloadValues } from './call-row.ts'
import { count, moment, names, placeholders } from './columns.ts'
import { entryColumns, entryCount, entryValues } from './entry-row.ts'
import type { StoreSession } from './store-transactions.ts'

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
), spent as (
  insert into handrail.quotas as q (tenant_id, key, window_start, used, allowed)
  select $1, limits.key, ${windowStart('limits.ms')}, 1, limits.allowed
  from unnest($4::text[], $5::int[], $6::bigint[]) as limits (key, allowed, ms)
  where limits.allowed > 0 order by limits.key
  on conflict (tenant_id, key, window_start)
  do update set used = q.used + 1, allowed = excluded.allowed where q.used < excluded.allowed
  returning key
), inserted as (
  insert into handrail.calls (${names(callColumns)}, created_at, executed_at, attempt_until, ended_at)
  select ${placeholders(callColumns, callsFrom)}, now(), case when $9 then now() end,
    case when $9 then now() + $8::float8 * interval '1 millisecond' end, case when $10 then now() end
  where ($2 is null or exists (select from held)) and (select count(*) from spent) = $7::int
  on conflict do nothing
  returning created_at, attempt_until
), paid as (
  insert into handrail.call_payloads (tenant_id, call_id, ${names(payloadColumns)})
  select $${callsFrom}, $${callsFrom + 1}, ${placeholders(payloadColumns, payloadFrom)} from inserted
  where $${payloadFrom}::text is not null
), entered as (
  insert into handrail.ledger_entries (at, ${names(entryColumns)})
  select now(), ${placeholders(entryColumns, entryFrom)} from inserted
)
select created_at, attempt_until from inserted`,
}

export const parameterCount = entryFrom + entryCount - 1

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

/** Inserts a call. Undefined when something stood against it; the caller then rolls back and looks what it was. */
export async function insertCall(session: StoreSession, request: NewCall): Promise<StoredCall | undefined> {
  const { call, quotas, lease, attemptMs } = request
  const { rows } = await session.query<{ created_at: string; attempt_until: string | null }>({
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
  })
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

/** The start of the window that now lies in; a window of 0 ms is one that never ends. */
export function windowStart(ms: string): string {
  return `case when ${ms} = 0 then to_timestamp(0) else to_timestamp(floor(extract(epoch from now()) * 1000 / ${ms}) * ${ms} / 1000) end`
}

/** Sorted by key, so that two claims lock their counters in one order. */
export function quotaValues(quotas: readonly Quota[]): unknown[] {
  const sorted = [...quotas].sort((a, b) => (a.key < b.key ? -1 : 1))
  return [sorted.map((quota) => quota.key), sorted.map((quota) => quota.limit), sorted.map((quota) => quota.windowMs)]
}
