import type { ClaimOutcome, Quota } from 'handrail'
import { moment } from './columns.ts'
import { quotaValues, windowStart } from './insert-call.ts'
import type { StoreSession } from './store-transactions.ts'

const spend = `
insert into handrail.quotas as q (tenant_id, key, window_start, used, allowed)
select $1, limits.key, ${windowStart('limits.ms')}, 1, limits.allowed
from unnest($2::text[], $3::int[], $4::bigint[]) as limits (key, allowed, ms)
where limits.allowed > 0 order by limits.key
on conflict (tenant_id, key, window_start)
do update set used = q.used + 1, allowed = excluded.allowed where q.used < excluded.allowed
returning key`

/** Spends one of each quota. False when one is used up: the caller rolls back, so that none is spent. */
export async function spendQuotas(session: StoreSession, tenantId: string, quotas: readonly Quota[]): Promise<boolean> {
  if (quotas.length === 0) return true
  const { rows } = await session.query({ text: spend, values: [tenantId, ...quotaValues(quotas)] })
  return rows.length === quotas.length
}

/** Which quota is used up now, the first in the order they were asked for. */
export async function usedUp(
  session: StoreSession,
  tenantId: string,
  quotas: readonly Quota[],
): Promise<Extract<ClaimOutcome, { kind: 'limited' }> | undefined> {
  if (quotas.length === 0) return undefined
  const { rows } = await session.query<{ key: string; used: number; start: string }>({
    text: `
      select limits.key, coalesce(q.used, 0) as used, ${windowStart('limits.ms')} as start
      from unnest($2::text[], $3::int[], $4::bigint[]) as limits (key, allowed, ms)
      left join handrail.quotas q on q.tenant_id = $1 and q.key = limits.key and q.window_start = ${windowStart('limits.ms')}`,
    values: [tenantId, ...quotaValues(quotas)],
  })
  const state = new Map(rows.map((row) => [row.key, row]))
  for (const quota of quotas) {
    const row = state.get(quota.key)
    if (row === undefined || row.used < quota.limit) continue
    const retryAt = quota.windowMs === 0 ? undefined : new Date(moment(row.start).getTime() + quota.windowMs)
    return { kind: 'limited', quota, retryAt }
  }
  return undefined
}
