import type { Approval } from '../approval/approval.ts'
import type { CallPayload, StoredCall } from '../ledger/call-record.ts'
import { entryOf } from '../ledger/entry-of.ts'
import type { LedgerEntry, LedgerEvent, Seal } from '../ledger/ledger-entry.ts'
import type { Principal } from '../principal/principal.ts'
import type { Run, RunStep, Thread, ThreadMessage } from './run-store.ts'
import type { LeaseFence, Quota } from './store.ts'

/** What a thread holds. Messages and steps share one count of positions. */
export interface ThreadState {
  thread: Thread
  lastPosition: number
  messages: Map<string, ThreadMessage>
  /** Messages of a person that wait for the live run's next step boundary. */
  queued: Map<string, Pick<ThreadMessage, 'messageId' | 'parts'>>
  steps: RunStep[]
  liveRunId: string | undefined
}

/** One workspace. Stored objects are replaced, never changed: what was handed out stays as it was. */
export interface TenantState {
  readonly calls: Map<string, StoredCall>
  /** Call ids, oldest first: the order of lists, and what a cursor points into. */
  readonly callOrder: string[]
  readonly callByKey: Map<string, string>
  /** Running calls, each with the input digest of its `started` entry. */
  readonly running: Map<string, string>
  readonly unknown: Set<string>
  /** Held while an effect or a `save` runs on a call, as a database holds the row. */
  readonly locks: Map<string, Promise<void>>
  readonly quotas: Map<string, { windowStart: number; spent: number }>
  readonly approvals: Map<string, Approval>
  readonly approvalOrder: string[]
  /** Of calls that wait: pending, or decided or expired and not followed up yet. */
  readonly openApprovals: Set<string>
  readonly entries: LedgerEntry[]
  readonly seals: Seal[]
  sealedCount: number
  readonly threads: Map<string, ThreadState>
  readonly threadOrder: string[]
  readonly runs: Map<string, Run>
  readonly runOrder: string[]
  readonly liveRuns: Set<string>
}

/** All that a memory store keeps, by tenant. Its methods are synchronous: a section between two awaits is a transaction. */
export class MemoryState {
  readonly tenants = new Map<string, TenantState>()
  readonly now: () => Date
  readonly db: unknown

  constructor(now: () => Date, db: unknown) {
    this.now = now
    this.db = db
  }

  /** The tenant's part, made when it is first written to. */
  tenant(tenantId: string): TenantState {
    let state = this.tenants.get(tenantId)
    if (state === undefined) {
      state = emptyTenant()
      this.tenants.set(tenantId, state)
    }
    return state
  }

  /** Appends to the ledger. See `entryOf` for the parameters. */
  record(
    tenant: TenantState,
    event: LedgerEvent,
    call: StoredCall,
    at: Date,
    by?: Principal,
    payload: CallPayload | undefined = call.payload,
    inputDigest?: string,
  ): LedgerEntry {
    const entry = entryOf(event, call, at, by, payload, inputDigest)
    tenant.entries.push(entry)
    return entry
  }
}

/** Does this token (still) hold the run? A lease that ran out holds until somebody else takes it. */
export function holdsLease(tenant: TenantState | undefined, lease: LeaseFence): boolean {
  return tenant?.runs.get(lease.runId)?.leaseToken === lease.token
}

/** Spends one of each quota, or nothing and the quota that is used up. */
export function spendQuotas(
  tenant: TenantState,
  quotas: readonly Quota[],
  now: Date,
): { quota: Quota; retryAt: Date | undefined } | undefined {
  for (const quota of quotas) {
    const windowStart = windowStartOf(quota, now)
    const counter = tenant.quotas.get(quota.key)
    const spent = counter?.windowStart === windowStart ? counter.spent : 0
    if (spent >= quota.limit) {
      return { quota, retryAt: quota.windowMs === 0 ? undefined : new Date(windowStart + quota.windowMs) }
    }
  }
  for (const quota of quotas) {
    const windowStart = windowStartOf(quota, now)
    const counter = tenant.quotas.get(quota.key)
    if (counter?.windowStart === windowStart) counter.spent += 1
    else tenant.quotas.set(quota.key, { windowStart, spent: 1 })
  }
  return undefined
}

function windowStartOf(quota: Quota, now: Date): number {
  return quota.windowMs === 0 ? 0 : now.getTime() - (now.getTime() % quota.windowMs)
}

function emptyTenant(): TenantState {
  return {
    calls: new Map(),
    callOrder: [],
    callByKey: new Map(),
    running: new Map(),
    unknown: new Set(),
    locks: new Map(),
    quotas: new Map(),
    approvals: new Map(),
    approvalOrder: [],
    openApprovals: new Set(),
    entries: [],
    seals: [],
    sealedCount: 0,
    threads: new Map(),
    threadOrder: [],
    runs: new Map(),
    runOrder: [],
    liveRuns: new Set(),
  }
}
