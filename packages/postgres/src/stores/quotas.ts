import type { ClaimOutcome, Quota } from 'handrail'
import { moment } from './columns.ts'
import type { StoreSession } from './store-transactions.ts'

/**
 * The counters that were spent, as common table expressions that end in `spent`; $1 is the tenant. A counter that stands is
 * counted up. One that does not is added; when another claim adds it at the same moment, nothing is spent, and the
 * caller, who finds too few, tries again.
 */
export function spending(keys: string, limits: string, windows: string): string {
  return `limits as materialized (
  select key, allowed, ${windowStart('ms')} as start
  from unnest(${keys}::text[], ${limits}::int[], ${windows}::bigint[]) as asked (key, allowed, ms)
), counted as (
  update handrail.quotas q set used = used + 1, allowed = limits.allowed from limits
  where q.tenant_id = $1 and q.key = limits.key and q.window_start = limits.start and q.used < limits.allowed
  returning q.key
), added as (
  insert into handrail.quotas (tenant_id, key, window_start, used, allowed)
  select $1, key, start, 1, allowed from limits where allowed > 0 and not exists (
    select from handrail.quotas q where q.tenant_id = $1 and q.key = limits.key and q.window_start = limits.start)
  on conflict do nothing returning key
), spent as (
  select key from counted union all select key from added
)`
}

const spend = `with ${spending('$2', '$3', '$4')} select key from spent`

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

/** The start of the window that now lies in; a window of 0 ms is one that never ends. */
function windowStart(ms: string): string {
  return `case when ${ms} = 0 then to_timestamp(0) else to_timestamp(floor(extract(epoch from now()) * 1000 / ${ms}) * ${ms} / 1000) end`
}

/** Sorted by key, so that two claims lock their counters in one order. */
export function quotaValues(quotas: readonly Quota[]): unknown[] {
  const sorted = [...quotas].sort((a, b) => (a.key < b.key ? -1 : 1))
  return [sorted.map((quota) => quota.key), sorted.map((quota) => quota.limit), sorted.map((quota) => quota.windowMs)]
}
