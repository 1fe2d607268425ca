import type { ModelMessage } from 'ai'
import type { Principal, Scope } from '../principal/principal.ts'
import type { LeaseFence, Page, Quota } from './store.ts'

export interface Thread {
  threadId: string
  tenantId: string
  userId: string
  pack: string
  scope: Scope
  title: string
  /** True once a tool's untrusted output entered the conversation. */
  untrusted: boolean
  createdAt: Date
  updatedAt: Date
}

/** A part of a conversation as people see it; `parts` are UI message parts of the AI SDK. */
export interface ThreadMessage {
  messageId: string
  threadId: string
  /** Order within the thread. A message delivered into a live run gets its place at delivery. */
  position: number
  role: 'user' | 'assistant'
  parts: unknown[]
  runId: string | undefined
  createdAt: Date
}

export type RunStatus = 'running' | 'waiting' | 'done' | 'failed' | 'cancelled'

export interface Run {
  runId: string
  tenantId: string
  threadId: string
  principal: Principal
  pack: string
  scope: Scope
  mode: 'inline' | 'background'
  status: RunStatus
  /** Steps recorded so far. */
  step: number
  activeMs: number
  usage: { inputTokens: number; outputTokens: number }
  cancelRequested: boolean
  finishReason: string | undefined
  error: string | undefined
  leaseOwner: string | undefined
  leaseToken: string | undefined
  leaseUntil: Date | undefined
  wakeAt: Date | undefined
  createdAt: Date
  endedAt: Date | undefined
}

/** One model turn: what it said, and which calls it asked for. Written once, never rewritten. */
export interface RunStep {
  runId: string
  step: number
  position: number
  /** The model's messages of this step, as the AI SDK returned them. */
  messages: ModelMessage[]
  /** Its calls in the model's order. Ids are ours. */
  calls: StepCall[]
  model: string
  finishReason: string
  usage: { inputTokens: number; outputTokens: number }
  durationMs: number
  createdAt: Date
}

export interface StepCall {
  callId: string
  toolCallId: string
  toolName: string
  /** Raw, as the model gave it; parsed by the gate. */
  input: unknown
}

export interface Lease extends LeaseFence {
  until: Date
}

export type StartRunOutcome =
  | { kind: 'started'; run: Run }
  | { kind: 'live'; run: Run }
  /** The person has started as many runs as they may; nothing was stored. */
  | { kind: 'limited'; quota: Quota; retryAt: Date | undefined }

/** Threads, messages, runs and steps. Every write of a run goes through its lease; a stale token changes nothing. */
export interface RunStore {
  createThread(thread: Omit<Thread, 'createdAt' | 'updatedAt' | 'untrusted'>): Promise<Thread>
  getThread(tenantId: string, threadId: string): Promise<Thread | undefined>
  listThreads(tenantId: string, filter: { userId: string; cursor?: string; limit?: number }): Promise<Page<Thread>>
  markUntrusted(tenantId: string, threadId: string): Promise<void>
  messages(tenantId: string, threadId: string): Promise<ThreadMessage[]>
  /** Appends; the same `messageId` again replaces its parts and keeps its place. */
  saveMessage(
    tenantId: string,
    message: Omit<ThreadMessage, 'position' | 'createdAt'>,
    lease?: LeaseFence,
  ): Promise<ThreadMessage>
  /**
   * Stores a user message and starts a run on it. With a live run on the thread the message is queued for it
   * (delivered at its next step boundary) and that run is returned. A message that stands already is not queued again.
   */
  start(
    run: Pick<Run, 'runId' | 'tenantId' | 'threadId' | 'principal' | 'pack' | 'scope' | 'mode'>,
    message: Pick<ThreadMessage, 'messageId' | 'parts'> | undefined,
    quotas?: readonly Quota[],
  ): Promise<StartRunOutcome>
  get(tenantId: string, runId: string): Promise<Run | undefined>
  list(
    tenantId: string,
    filter: { userId?: string; threadId?: string; status?: RunStatus; cursor?: string; limit?: number },
  ): Promise<Page<Run>>
  /** Takes the lease when it is free or ran out (database clock). The run is `running` then, and nothing is due. */
  acquire(tenantId: string, runId: string, owner: string, leaseMs: number): Promise<Lease | undefined>
  renew(tenantId: string, lease: LeaseFence, leaseMs: number): Promise<boolean>
  /** Gives the lease back; `next` says what the run does now. A wake asked for since `acquire` goes before `next.wakeAt`. */
  release(
    tenantId: string,
    lease: LeaseFence,
    next: { status: 'waiting' | 'running'; wakeAt?: Date; activeMs: number },
  ): Promise<boolean>
  steps(tenantId: string, threadId: string): Promise<RunStep[]>
  /** Appends the next step; `activeMs` is the run's total. False when the lease is lost or the step is not the next. */
  recordStep(
    tenantId: string,
    lease: LeaseFence,
    step: Omit<RunStep, 'position' | 'createdAt'>,
    activeMs: number,
  ): Promise<boolean>
  /** Gives queued user messages their place after the last step. */
  deliverQueued(tenantId: string, lease: LeaseFence): Promise<ThreadMessage[]>
  /**
   * Ends the run. `queued`: a message came in before the end, so a run that would be `done` goes on with it instead and
   * is not ended; a failed or cancelled run takes it into the thread unanswered. `lost`: another holds the lease.
   */
  end(
    tenantId: string,
    lease: LeaseFence,
    ending: { status: 'done' | 'failed' | 'cancelled'; finishReason: string; error?: string; activeMs: number },
  ): Promise<'ended' | 'queued' | 'lost'>
  requestCancel(tenantId: string, runId: string): Promise<Run | undefined>
  /** Makes a live run due now; one that is held, when it is released. So does a message that is queued. */
  requestWake(tenantId: string, runId: string): Promise<void>
  /**
   * Across tenants, for the reconciler: live runs that nobody holds and that are due. A run that waits is due, too, when no
   * approval of it is open any more: whoever should have woken it may be gone.
   */
  due(limit: number): Promise<Pick<Run, 'tenantId' | 'runId'>[]>
}
