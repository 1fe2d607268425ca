import { randomUUID } from 'node:crypto'
import type { CallPayload, StoredCall } from '../ledger/call-record.ts'
import { callDigest } from '../ledger/digest.ts'
import { newId } from '../principal/new-id.ts'
import type { Scope } from '../principal/principal.ts'
import type { Tool } from '../tool/tool.ts'
import type { CallRequest } from './call-request.ts'
import type { GovernedPack } from './gate-context.ts'

/** What a call's row says of its tool. */
export type CalledTool = Pick<Tool, 'name' | 'title' | 'version' | 'kind' | 'effect' | 'risk' | 'idempotent'>

/** A resolved and parsed call on its way through the gate. */
export interface GovernedCall {
  request: CallRequest
  governed: GovernedPack
  tool: Tool
  scope: Scope
  payload: CallPayload
}

/** What a call's digest binds: which tool in which version, on what, with which arguments. */
export function payloadOf(governed: GovernedPack, tool: CalledTool, scope: Scope, input: unknown): CallPayload {
  const digest = callDigest({ pack: governed.pack.name, toolName: tool.name, toolVersion: tool.version, input, scope })
  const apiCall = {
    service: `${governed.pack.name}.${tool.name}`,
    payload: governed.redact(input).value,
    kind: tool.kind,
  }
  return { input, digest, salt: randomUUID(), apiCall }
}

/** The row of a call that has no row yet. */
export function newCall(
  { request, governed, tool, scope, payload }: Omit<GovernedCall, 'tool'> & { tool: CalledTool },
  status: StoredCall['status'],
): StoredCall {
  const { principal, run, thread } = request
  const callId = request.callId ?? newId()
  return {
    callId,
    tenantId: principal.tenantId,
    pack: governed.pack.name,
    toolName: tool.name,
    toolVersion: tool.version,
    kind: tool.kind,
    effect: tool.effect,
    risk: tool.risk,
    idempotent: tool.idempotent,
    door: principal.via.door,
    principal,
    scope,
    threadId: thread?.threadId,
    runId: run?.runId,
    step: run?.step,
    status,
    description: governed.say.callRunning({ tool: tool.title }),
    code: undefined,
    idempotencyKey: request.idempotencyKey ?? request.callId,
    approvalId: undefined,
    attempt: 0,
    attemptUntil: undefined,
    createdAt: new Date(),
    executedAt: undefined,
    endedAt: undefined,
    durationMs: undefined,
    cached: false,
    truncated: false,
    payload,
  }
}
