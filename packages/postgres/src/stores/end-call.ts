import { randomUUID } from 'node:crypto'
import { type AttemptFence, type CallEnding, type CallPayload, type Principal, saltedDigest } from 'handrail'
import { json } from './columns.ts'
import type { StoreSession } from './store-transactions.ts'

/**
 * The ending of a call in one statement: checks attempt, status and lease under the row's lock, then row, payload and
 * ledger entry. Zero rows when another holder or a settlement came first.
 *
 * $1 tenant, $2 call, $3 attempt, $4 $5 lease, $6 status, $7 code, $8 description, $9 ms, $10 truncated, $11 apiCall,
 * $12 result, $13 entry id, $14 input digest, $15 result digest.
 *
 * The row is locked by its key alone and judged afterwards: with the status in the search, the planner prefers the small
 * index of unfinished calls and reads all of it.
 *
 * What happened outside is kept even when the run has another holder: the attempt alone says whose outcome it is.
 */
const end = {
  name: 'handrail.end_call',
  text: `
with held as materialized (
  select from handrail.runs where tenant_id = $1 and run_id = $4::text and lease_token = $5::text for share
), standing as materialized (
  select attempt, status, effect, pack, tool_name, user_id, principal, door, run_id, approval_id from handrail.calls
  where tenant_id = $1 and call_id = $2 for update
), ended as (
  update handrail.calls c set status = $6::text, code = $7, description = $8, duration_ms = $9, truncated = $10, ended_at = clock_timestamp()
  from standing where c.tenant_id = $1 and c.call_id = $2 and standing.attempt = $3
    and (standing.status = 'unknown' and $6 <> 'unknown'
      or standing.status = 'running' and ($4 is null or standing.effect = 'external' or exists (select from held)))
  returning standing.*
), paid as (
  update handrail.call_payloads p set api_call = $11::json, result = $12::json
  from ended where p.tenant_id = $1 and p.call_id = $2
)
insert into handrail.ledger_entries (at, tenant_id, entry_id, event, call_id, pack, tool_name, status, user_id, actor, door,
  run_id, approval_id, input_digest, result_digest)
select clock_timestamp(), $1, $13, case status when 'unknown' then 'settled' else 'ended' end, $2, pack, tool_name, $6, user_id,
  principal->>'actor', door, run_id, approval_id, $14, $15
from ended
returning at`,
}

/** Stores a call's ending, unless something stands against it. */
export async function endCall(session: StoreSession, fence: AttemptFence, ending: CallEnding): Promise<boolean> {
  const { payload } = ending
  const { rows } = await session.query({
    ...end,
    values: [
      fence.tenantId,
      fence.callId,
      fence.attempt,
      fence.lease?.runId,
      fence.lease?.token,
      ending.status,
      ending.code,
      ending.description,
      ending.durationMs,
      ending.truncated,
      json(payload.apiCall),
      json(payload.result),
      randomUUID(),
      inputDigest(payload),
      resultDigest(payload),
    ],
  })
  return rows.length === 1
}

// The same digests as the library's `entryOf` makes; here the rest of the entry comes from the row.
function inputDigest({ salt, digest }: CallPayload): string {
  return saltedDigest(salt, digest)
}

function resultDigest({ salt, result }: CallPayload): string | undefined {
  return result === undefined ? undefined : saltedDigest(salt, result)
}

/** A person's settlement of an unknown outcome. */
export async function settleCall(
  session: StoreSession,
  tenantId: string,
  callId: string,
  ending: CallEnding,
  by: Principal,
): Promise<boolean> {
  const { payload } = ending
  const { rows } = await session.query({
    text: `
      with standing as materialized (
        select status, pack, tool_name, run_id, approval_id from handrail.calls where tenant_id = $1 and call_id = $2 for update
      ), ended as (
        update handrail.calls c set status = $3::text, code = $4, description = $5, duration_ms = $6, truncated = $7, ended_at = clock_timestamp()
        from standing where c.tenant_id = $1 and c.call_id = $2 and standing.status = 'unknown' and $3 <> 'unknown'
        returning standing.*
      ), paid as (
        update handrail.call_payloads p set api_call = $8::json, result = $9::json from ended where p.tenant_id = $1 and p.call_id = $2
      )
      insert into handrail.ledger_entries (at, tenant_id, entry_id, event, call_id, pack, tool_name, status, user_id, actor, door,
        run_id, approval_id, input_digest, result_digest)
      select clock_timestamp(), $1, $10, 'settled', $2, pack, tool_name, $3, $11, $12, $13, run_id, approval_id, $14, $15 from ended
      returning at`,
    values: [
      tenantId,
      callId,
      ending.status,
      ending.code,
      ending.description,
      ending.durationMs,
      ending.truncated,
      json(payload.apiCall),
      json(payload.result),
      randomUUID(),
      by.userId,
      by.actor,
      by.via.door,
      inputDigest(payload),
      resultDigest(payload),
    ],
  })
  return rows.length === 1
}
