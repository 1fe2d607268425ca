import type { ToolCallRecord } from '../ledger/call-record.ts'
import type { ToolResult } from '../tool/tool-result.ts'

/** One call as a registry hands it on. Who calls, in which pack and scope, is the caller's own knowledge. */
export interface RegistryCall {
  /** A name the registry holds. */
  name: string
  /** The arguments as the model gave them: a value, or JSON text. Not yet parsed, checked or trusted. */
  input: unknown
  /** The same key again means the same call again: it gets the stored outcome. */
  idempotencyKey?: string
  /** The call's id in the loop it came from. For the record only: providers repeat theirs. */
  toolCallId?: string
  signal?: AbortSignal
}

export interface RegistryCallOutcome {
  record: ToolCallRecord
  result: ToolResult
  /** What the model is given: a JSON value, shortened and redacted. */
  forModel: unknown
}

/** What would happen to a call if it ran now. */
export type RegistryAnswer =
  /**
   * It runs, or answers at once: with the outcome stored under its key, with the failure that its arguments earn,
   * or because its stored approval is approved.
   */
  | { answer: 'allow' }
  /** A person must decide first; the request is stored. `reason` is for the person. */
  | { answer: 'ask'; approvalId: string; reason: string }
  /** It will not run: by policy, role, limit, or because a person declined or the request expired. For the model. */
  | { answer: 'refuse'; reason: string }

/**
 * What a registry needs to let a model act: the gate, bound to one principal and scope. The registry itself never
 * calls a tool's `execute`.
 */
export interface ToolCaller {
  /**
   * Takes the call through the whole gate. Never rejects for anything the model, a person or the tool did: refusals,
   * bad arguments and failures are outcomes. A call under a key whose approval waits gives the asking result
   * again; under one that is approved, it executes, once; after that it gives the stored outcome.
   */
  call(request: RegistryCall): Promise<RegistryCallOutcome>
  /**
   * Answers for one call without running it, and stores what must be stored: with `ask`, the waiting call and its
   * approval under `idempotencyKey`, so that `call` with the same key finds them; with `refuse`, the refused call.
   * The same key again gives the same answer from the store and adds nothing: a waiting approval is *the* approval.
   */
  decide(request: RegistryCall & { idempotencyKey: string }): Promise<RegistryAnswer>
  /**
   * Records a person's decision on the call that waits under `idempotencyKey`, made by the person the caller is bound
   * to (never by the model's hand), if they may decide it. Anything else, such as no waiting call, another person's
   * approval or a decision that was made before, changes nothing.
   */
  respond(request: { name: string; idempotencyKey: string; approve: boolean; reason?: string }): Promise<void>
}
