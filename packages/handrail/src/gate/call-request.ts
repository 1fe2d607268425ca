import type { ToolCallRecord } from '../ledger/call-record.ts'
import type { Principal, Scope } from '../principal/principal.ts'
import type { LeaseFence } from '../store/store.ts'
import type { Progress } from '../tool/tool.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import type { ReadCache } from './read-cache.ts'

/** One call as a door hands it to the gate. Everything but `name` and `input` comes from the door, never from the model. */
export interface CallRequest {
  name: string
  input: unknown
  principal: Principal
  /** Needed where two packs have a tool of this name. */
  pack?: string
  scope?: Scope
  /** Unique per tenant, person and tool: the same key again gets the stored outcome. */
  idempotencyKey?: string
  /** Given by a run, so that its step can name the call before it starts. */
  callId?: string
  signal?: AbortSignal
  thread?: CallThread
  run?: LeaseFence & { step: number }
  /** Reads already done in this run. */
  readCache?: ReadCache
  /** False where no person can be reached: what would ask is refused. */
  canAsk?: boolean
  /** How to ask; the pack's own way by default. */
  form?: 'card' | 'conversation'
  onEvent?: (event: CallEvent) => void
}

/** What the conversation tells the policy. */
export interface CallThread {
  threadId: string
  untrusted: boolean
  /** What the person wrote themselves, all of it. */
  userText: string
}

export interface CallOutcome {
  record: ToolCallRecord
  result: ToolResult
  /** What enters the model: shortened, redacted, outsiders' text marked as data. */
  forModel: unknown
}

/** What a caller may show while a call is under way. Never written inside an effect's transaction. */
export type CallEvent =
  | { type: 'call-start'; callId: string; description: string }
  | { type: 'call-progress'; callId: string; progress: Progress }
  | { type: 'call-log'; callId: string; level: 'info' | 'warn'; message: string; details?: unknown }
