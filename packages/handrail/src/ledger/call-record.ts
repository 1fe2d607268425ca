import type { ErrorCode } from '../errors/error-code.ts'
import type { Principal, Scope } from '../principal/principal.ts'
import type { Risk, ToolEffect, ToolKind } from '../tool/tool.ts'
import type { ToolResult } from '../tool/tool-result.ts'

/** Pinned: clients, the ledger and its exports rely on these words. */
export type CallStatus =
  | 'running'
  | 'awaiting_approval'
  | 'done'
  | 'failed'
  | 'refused'
  | 'declined'
  | 'expired'
  | 'cancelled'
  | 'unknown'

/** The service function that really ran, and what it was given (redacted). */
export interface ApiCall {
  service: string
  payload: unknown
  kind: ToolKind
}

/** A call as every door shows it. */
export interface ToolCallRecord {
  callId: string
  pack: string
  toolName: string
  kind: ToolKind
  risk: Risk
  status: CallStatus
  description: string
  apiCall: ApiCall
  result?: ToolResult
  executedAt?: string
  durationMs?: number
  cached?: boolean
  truncated?: boolean
  approval?: { approvalId: string; status: string }
  principal: Principal
  scope: Scope
  door: string
  runId?: string
  step?: number
}

/** A call as the store keeps it. Input, result and digest lie in the erasable part. */
export interface StoredCall {
  callId: string
  tenantId: string
  pack: string
  toolName: string
  toolVersion: number
  kind: ToolKind
  effect: ToolEffect | undefined
  risk: Risk
  /** May it be repeated with its key after a crash? */
  idempotent: boolean
  door: string
  principal: Principal
  scope: Scope
  threadId: string | undefined
  runId: string | undefined
  step: number | undefined
  status: CallStatus
  description: string
  code: ErrorCode | undefined
  idempotencyKey: string | undefined
  approvalId: string | undefined
  /** How often an execution was started; 0 before the first. Fences a stale holder's writes. */
  attempt: number
  /** When the attempt's holder must have ended (database clock). */
  attemptUntil: Date | undefined
  createdAt: Date
  executedAt: Date | undefined
  endedAt: Date | undefined
  durationMs: number | undefined
  cached: boolean
  truncated: boolean
  payload: CallPayload | undefined
}

/** The erasable part of a call. Without it the ledger's digests can no longer be guessed at: the salt is gone too. */
export interface CallPayload {
  input: unknown
  digest: string
  salt: string
  apiCall: ApiCall
  result?: ToolResult
}
