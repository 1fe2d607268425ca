import type { CallPayload, StoredCall } from 'handrail'
import { type Columns, json, moment, present, selected } from './columns.ts'

/** Columns of a call that are known when it is inserted. The moments are the database's. */
export const callColumns = {
  tenant_id: 'text',
  call_id: 'text',
  pack: 'text',
  tool_name: 'text',
  tool_version: 'int',
  kind: 'text',
  effect: 'text',
  risk: 'text',
  idempotent: 'boolean',
  door: 'text',
  user_id: 'text',
  principal: 'json',
  scope: 'json',
  thread_id: 'text',
  run_id: 'text',
  step: 'int',
  idempotency_key: 'text',
  status: 'text',
  description: 'text',
  code: 'text',
  approval_id: 'text',
  attempt: 'int',
  claim_token: 'text',
  duration_ms: 'float8',
  cached: 'boolean',
  truncated: 'boolean',
} as const satisfies Columns

export function callValues(call: StoredCall, claimToken: string | undefined): unknown[] {
  return [
    call.tenantId,
    call.callId,
    call.pack,
    call.toolName,
    call.toolVersion,
    call.kind,
    call.effect,
    call.risk,
    call.idempotent,
    call.door,
    call.principal.userId,
    json(call.principal),
    json(call.scope),
    call.threadId,
    call.runId,
    call.step,
    call.idempotencyKey,
    call.status,
    call.description,
    call.code,
    call.approvalId,
    call.attempt,
    claimToken,
    call.durationMs,
    call.cached,
    call.truncated,
  ]
}

/** Columns of the erasable part, after the call's key. */
export const payloadColumns = {
  digest: 'digest',
  salt: 'text',
  input: 'json',
  api_call: 'json',
  result: 'json',
} as const satisfies Columns

export function payloadValues(payload: CallPayload | undefined): unknown[] {
  if (payload === undefined) return [null, null, null, null, null]
  return [payload.digest, payload.salt, json(payload.input), apiCallJson(payload), json(payload.result)]
}

/** A call with its payload, as `selectCall` reads it. JSON columns hold what this package wrote. */
export interface CallRow {
  tenant_id: string
  call_id: string
  pack: string
  tool_name: string
  tool_version: number
  kind: StoredCall['kind']
  effect: NonNullable<StoredCall['effect']> | null
  risk: StoredCall['risk']
  idempotent: boolean
  door: string
  principal: StoredCall['principal']
  scope: StoredCall['scope']
  thread_id: string | null
  run_id: string | null
  step: number | null
  idempotency_key: string | null
  created_at: string
  executed_at: string | null
  status: StoredCall['status']
  description: string
  code: NonNullable<StoredCall['code']> | null
  approval_id: string | null
  attempt: number
  attempt_until: string | null
  claim_token: string | null
  ended_at: string | null
  duration_ms: number | null
  cached: boolean
  truncated: boolean
  digest: string | null
  salt: string | null
  input: unknown
  api_call: CallPayload['apiCall'] | StoredApiCall
  result: NonNullable<CallPayload['result']> | null
}

/** Calls with their payloads. `c` and `p` name them in a `where` that follows. */
export const selectCall = `
  select c.*, ${selected(payloadColumns, 'p')}
  from handrail.calls c left join handrail.call_payloads p on p.tenant_id = c.tenant_id and p.call_id = c.call_id`

export function toCall(row: CallRow): StoredCall {
  return {
    callId: row.call_id,
    tenantId: row.tenant_id,
    pack: row.pack,
    toolName: row.tool_name,
    toolVersion: row.tool_version,
    kind: row.kind,
    effect: present(row.effect),
    risk: row.risk,
    idempotent: row.idempotent,
    door: row.door,
    principal: row.principal,
    scope: row.scope,
    threadId: present(row.thread_id),
    runId: present(row.run_id),
    step: present(row.step),
    status: row.status,
    description: row.description,
    code: present(row.code),
    idempotencyKey: present(row.idempotency_key),
    approvalId: present(row.approval_id),
    attempt: row.attempt,
    attemptUntil: moment(row.attempt_until),
    createdAt: moment(row.created_at),
    executedAt: moment(row.executed_at),
    endedAt: moment(row.ended_at),
    durationMs: present(row.duration_ms),
    cached: row.cached,
    truncated: row.truncated,
    payload: toPayload(row),
  }
}

function toPayload(row: CallRow): CallPayload | undefined {
  if (row.digest === null || row.salt === null) return undefined
  const payload: CallPayload = { input: row.input, digest: row.digest, salt: row.salt, apiCall: toApiCall(row) }
  if (row.result !== null) payload.result = row.result
  return payload
}

/** What a service was given is mostly the input itself, which is stored once. */
type StoredApiCall = Omit<CallPayload['apiCall'], 'payload'> & { payloadIsInput: true }

export function apiCallJson({ apiCall, input }: CallPayload): string | null {
  const { payload, ...rest } = apiCall
  const isInput = payload !== undefined && (payload === input || json(payload) === json(input))
  return json(isInput ? ({ ...rest, payloadIsInput: true } satisfies StoredApiCall) : apiCall)
}

function toApiCall({ api_call: stored, input }: CallRow): CallPayload['apiCall'] {
  if (!('payloadIsInput' in stored)) return stored
  const { payloadIsInput, ...rest } = stored
  return { ...rest, payload: input }
}
