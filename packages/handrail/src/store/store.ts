import type { Approval, ApprovalStatus, Decision } from '../approval/approval.ts'
import type { ErrorCode } from '../errors/error-code.ts'
import type { CallPayload, CallStatus, StoredCall } from '../ledger/call-record.ts'
import type { LedgerEntry, Seal } from '../ledger/ledger-entry.ts'
import type { RunStore } from './run-store.ts'

/**
 * Where calls, approvals, the ledger and runs are kept. Each method is one transaction and sets the tenant;
 * a ledger entry is written in the same transaction as the change it records.
 * One contract suite (`@handrail/postgres/testing`) runs over every implementation.
 */
export interface Store {
  readonly calls: CallStore
  readonly approvals: ApprovalStore
  readonly ledger: LedgerStore
  readonly runs: RunStore
  /** Wakes whoever follows a workspace's changes, after commit. */
  readonly signals: Signals
  close(): Promise<void>
}

/** A fixed-window limit, spent at claim. */
export interface Quota {
  /** Names the counter within the tenant: `calls:alice`, `tool:alice:send_email`, `run:<id>`. */
  key: string
  limit: number
  /** Length of the window in milliseconds, aligned to the database clock; 0 counts for ever. */
  windowMs: number
}

/** The lease a run's writes go through. It holds until somebody else takes the run over, also after its time. */
export interface LeaseFence {
  runId: string
  token: string
}

export interface ClaimRequest {
  /** The row as it will stand: status `running`, attempt 1. For an approved or recovered call its stored row. */
  call: StoredCall
  /** `new` inserts; `approved` consumes the approval; `recovery` takes over an attempt that ran out. */
  from: 'new' | 'approved' | 'recovery'
  /** With `approved`: the digest and basis the decision must be bound to. */
  approval?: { approvalId: string; digest: string }
  quotas: readonly Quota[]
  lease?: LeaseFence
  /** How long this attempt's holder may take before others may settle it. */
  attemptMs: number
}

export type ClaimOutcome =
  | { kind: 'claimed'; call: StoredCall }
  /** The key was used before: here is that call. */
  | { kind: 'existing'; call: StoredCall }
  | { kind: 'limited'; quota: Quota; retryAt: Date | undefined }
  /** The approval is not (or no longer) good for this call. */
  | {
      kind: 'not-approved'
      why: 'missing' | 'pending' | 'declined' | 'expired' | 'used' | 'withdrawn' | 'changed'
      call: StoredCall | undefined
    }
  | { kind: 'lease-lost' }

/** The end of a call, as recorded. */
export interface CallEnding {
  status: Exclude<CallStatus, 'running' | 'awaiting_approval'>
  code: ErrorCode | undefined
  description: string
  payload: CallPayload
  durationMs: number
  truncated: boolean
}

export interface AttemptFence {
  tenantId: string
  callId: string
  attempt: number
  lease?: LeaseFence
}

/**
 * A handed transaction. `db` is what services are built on (drizzle on Postgres); after `revoke` every further
 * query through it rejects.
 */
export interface HandedTransaction {
  readonly db: unknown
  revoke(reason: Error): void
}

export type TransactOutcome =
  | { kind: 'committed'; ending: CallEnding }
  /** Another holder or a settlement came first: nothing was changed. */
  | { kind: 'fenced'; call: StoredCall | undefined }

export interface CallStore {
  claim(request: ClaimRequest): Promise<ClaimOutcome>
  /**
   * Stores a call that waits, with its approval. The key decides as in `claim`. For a call that waits already (same
   * `callId`, another approval) the earlier approval is withdrawn and the call is asked for anew as it is given; but not
   * when it no longer waits under the approval that `call.approvalId` names, where that is given.
   */
  ask(
    call: StoredCall,
    approval: Approval,
    quotas: readonly Quota[],
    lease?: LeaseFence,
  ): Promise<Exclude<ClaimOutcome, { kind: 'claimed' }> | { kind: 'asked' }>
  /** Stores a call that ended before it started: refused, invalid, answered from a cache. Its key stays free. */
  recordEnded(call: StoredCall, lease?: LeaseFence): Promise<void>
  /**
   * The second transaction: locks the call row, checks attempt and lease, runs `effect`, stores the ending it
   * returns and commits. A throw from `effect` rolls everything back and is thrown on.
   */
  transact(
    fence: AttemptFence,
    effect: (transaction: HandedTransaction) => Promise<CallEnding>,
  ): Promise<TransactOutcome>
  /** A read-only transaction of one tenant. */
  read<T>(tenantId: string, effect: (transaction: HandedTransaction) => Promise<T>): Promise<T>
  /** Readers without an open transaction, each query on its own: for tools that act outside. */
  readersDb(tenantId: string): HandedTransaction
  /**
   * Records an ending outside a handed transaction: reads, external calls, failures. `save` runs in the same
   * transaction. An outcome that arrives late settles `unknown`; any other stale attempt is fenced. What an `external`
   * call reports counts for its own attempt even when the run's lease is lost: it has happened. Content that was
   * erased meanwhile stays erased.
   */
  finish(
    fence: AttemptFence,
    ending: CallEnding,
    save?: (transaction: HandedTransaction) => Promise<void>,
  ): Promise<TransactOutcome>
  /**
   * Ends a waiting call without executing it: declined, expired, cancelled. What is still open of its approval is closed:
   * `expired` with an expired call, else `withdrawn`. Without `payload` the content stays.
   */
  endWaiting(
    tenantId: string,
    callId: string,
    ending: Pick<CallEnding, 'status' | 'code' | 'description'> & { payload?: CallPayload },
  ): Promise<StoredCall | undefined>
  /** A person settles an unknown outcome. `undefined` when it is no longer unknown. */
  settle(tenantId: string, callId: string, ending: CallEnding, by: Decision['by']): Promise<StoredCall | undefined>
  get(tenantId: string, callId: string): Promise<StoredCall | undefined>
  getByKey(
    tenantId: string,
    userId: string,
    pack: string,
    toolName: string,
    key: string,
  ): Promise<StoredCall | undefined>
  /** Unsettled `unknown` writes of one tool: in the thread by whomever, or without a thread all of this person's. */
  unsettled(filter: {
    tenantId: string
    userId: string
    threadId: string | undefined
    pack: string
    toolName: string
  }): Promise<StoredCall[]>
  list(tenantId: string, filter: CallFilter): Promise<Page<StoredCall>>
  /** Across tenants, for the reconciler: running calls whose attempt ran out. */
  abandoned(limit: number): Promise<StoredCall[]>
  /** Removes a call's payload, and digest, preview and basis of its approvals; its ledger entries stay and stay valid. */
  erase(tenantId: string, callId: string): Promise<void>
}

export interface CallFilter {
  runId?: string
  threadId?: string
  pack?: string
  toolName?: string
  userId?: string
  status?: CallStatus
  from?: Date
  to?: Date
  cursor?: string
  limit?: number
}

export interface Page<T> {
  items: T[]
  nextCursor?: string
}

export type DecideOutcome =
  | { kind: 'decided'; approval: Approval }
  /** The same decision by the same person again. */
  | { kind: 'same'; approval: Approval }
  | { kind: 'conflict'; approval: Approval }
  | { kind: 'missing' }

export interface ApprovalStore {
  get(tenantId: string, approvalId: string): Promise<Approval | undefined>
  list(
    tenantId: string,
    filter: { status?: ApprovalStatus; threadId?: string; runId?: string; cursor?: string; limit?: number },
  ): Promise<Page<Approval>>
  /**
   * Stores a decision, once. With `edited` the call's payload and the approval's digest are replaced in the same transaction.
   * The same decision by the same person on the same input is `same`, whatever its reason.
   * A pending approval past `decideBy` (database clock) becomes `expired` instead, and is a conflict.
   */
  decide(
    tenantId: string,
    approvalId: string,
    decision: Omit<Decision, 'at'>,
    executeWithinMs: number,
    edited?: CallPayload,
  ): Promise<DecideOutcome>
  /**
   * Pending, or approved but not executed, and past its time: becomes `expired`. Given again until its call has ended.
   * Across tenants, for the reconciler.
   */
  expireDue(limit: number): Promise<Approval[]>
  /** Decided, but the call still waits: a process died between decision and execution. Across tenants, for the reconciler. */
  undone(limit: number): Promise<Approval[]>
  /** Withdraws what a cancelled run or a re-asked call left pending. */
  withdraw(tenantId: string, approvalId: string): Promise<void>
}

export interface LedgerStore {
  /** Tenants that have entries not yet under a seal. */
  tenantsToSeal(): Promise<string[]>
  /** Puts every unsealed entry under one new seal. One sealer per tenant at a time; others return undefined. */
  seal(
    tenantId: string,
    makeSeal: (entries: readonly LedgerEntry[], previous: Seal | undefined) => Seal,
  ): Promise<Seal | undefined>
  /** Seals in order, each with the entries it covers as they stand now. */
  sealed(tenantId: string): AsyncIterable<{ seal: Seal; entries: LedgerEntry[] }>
  unsealed(tenantId: string): Promise<LedgerEntry[]>
  tenants(): Promise<string[]>
}

/** Something changed that a follower may want to read again. Carries ids, never content. */
export interface Signal {
  tenantId: string
  topic: 'approval' | 'call' | 'run' | 'thread' | 'changed'
  id: string
}

export interface Signals {
  publish(signal: Signal): Promise<void>
  /** Returns the way to stop listening. */
  subscribe(listener: (signal: Signal) => void): () => void
}
