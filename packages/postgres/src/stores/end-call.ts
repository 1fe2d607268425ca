import { randomUUID } from 'node:crypto'
import { type AttemptFence, type CallEnding, type Principal, saltedDigest } from 'handrail'
import { apiCallJson } from './call-row.ts'
import { json } from './columns.ts'
import { fenceValues, mayEnd } from './fence.ts'
import { isNothingDone, orFail, type StoreSession } from './store-transactions.ts'

/** The rest of both statements: payload and ledger entry of what `ended` has changed. */
const record = (apiCall: number, who: string) => `
paid as (
  update handrail.call_payloads p set api_call = $${apiCall}::json, result = $${apiCall + 1}::json
  from ended where p.tenant_id = $1 and p.call_id = $2
), entered as (
insert into handrail.ledger_entries (at, tenant_id, entry_id, event, call_id, pack, tool_name, status, user_id, actor, door,
  run_id, approval_id, input_digest, result_digest)
select clock_timestamp(), $1, $${apiCall + 2}::uuid, case when settled then 'settled' else 'ended' end, $2, pack, tool_name, status,
  ${who}, run_id, approval_id, decode($${apiCall + 3}, 'hex'), decode($${apiCall + 4}, 'hex')
from ended returning seq
)
select ${orFail} from entered`

const set = `status = $3::text, code = $4, description = $5, duration_ms = $6, truncated = $7, ended_at = clock_timestamp(),
  settled = c.status = 'unknown'`

/**
 * The ending of a call in one statement: row, payload and ledger entry. Fails when another holder or a settlement came first.
 *
 * $1 tenant, $2 call, $3 status, $4 code, $5 description, $6 ms, $7 truncated, $8 apiCall, $9 result, $10 entry id,
 * $11 input digest, $12 result digest, $13 attempt, $14 $15 lease.
 */
const end = {
  name: 'handrail.end_call',
  text: `
with held as materialized (
  select from handrail.runs where tenant_id = $1 and run_id = $14::text and lease_token = $15::text for share
), ended as (
  update handrail.calls c set ${set}
  where c.tenant_id = $1 and c.call_id = $2
    and ${mayEnd({ attempt: '$13', run: '$14', status: '$3' }, 'select from held')}
  returning c.*
), ${record(8, `user_id, principal->>'actor', door`)}`,
}

/** The same for a call that this transaction has locked: whether it may end was judged under the lock. */
const endLocked = {
  name: 'handrail.end_locked_call',
  text: `
with ended as (
  update handrail.calls c set ${set} where c.tenant_id = $1 and c.call_id = $2 returning c.*
), ${record(8, `user_id, principal->>'actor', door`)}`,
}

const settle = `
with ended as (
  update handrail.calls c set ${set}
  where c.tenant_id = $1 and c.call_id = $2 and case c.status when 'unknown' then $3 <> 'unknown' else false end
  returning c.*
), ${record(8, '$13, $14, $15')}`

function values(tenantId: string, callId: string, { payload, ...ending }: CallEnding): unknown[] {
  return [
    tenantId,
    callId,
    ending.status,
    ending.code,
    ending.description,
    ending.durationMs,
    ending.truncated,
    apiCallJson(payload),
    json(payload.result),
    randomUUID(),
    // The same digests as the library's `entryOf` makes; here the rest of the entry comes from the row.
    saltedDigest(payload.salt, payload.digest),
    payload.result === undefined ? undefined : saltedDigest(payload.salt, payload.result),
  ]
}

/**
 * Stores a call's ending and commits it.
 *
 * @param isLocked the call was locked, and found in this attempt's hands, earlier in the transaction
 * @returns false, and nothing is committed, when something stands against it
 */
export function endCall(
  session: StoreSession,
  fence: AttemptFence,
  ending: CallEnding,
  isLocked: boolean,
): Promise<boolean> {
  const ended = values(fence.tenantId, fence.callId, ending)
  return orNothing(
    session.last(isLocked ? { ...endLocked, values: ended } : { ...end, values: [...ended, ...fenceValues(fence)] }),
  )
}

/** A person's settlement of an unknown outcome, committed. False when it is not unknown (any more). */
export function settleCall(
  session: StoreSession,
  tenantId: string,
  callId: string,
  ending: CallEnding,
  by: Principal,
): Promise<boolean> {
  return orNothing(
    session.last({ text: settle, values: [...values(tenantId, callId, ending), by.userId, by.actor, by.via.door] }),
  )
}

async function orNothing(ending: Promise<unknown>): Promise<boolean> {
  try {
    await ending
    return true
  } catch (error) {
    if (isNothingDone(error)) return false
    throw error
  }
}
