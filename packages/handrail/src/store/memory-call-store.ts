import type { Approval } from '../approval/approval.ts'
import type { StoredCall } from '../ledger/call-record.ts'
import type { Principal } from '../principal/principal.ts'
import { closeWith, consumeApproval } from './memory-approval-store.ts'
import { newestFirst } from './memory-page.ts'
import { holdsLease, type MemoryState, spendQuotas, type TenantState } from './memory-state.ts'
import type {
  AttemptFence,
  CallEnding,
  CallFilter,
  CallStore,
  ClaimOutcome,
  ClaimRequest,
  HandedTransaction,
  LeaseFence,
  Quota,
} from './store.ts'

/** Calls in memory. Every method without an effect to wait for is one synchronous section. */
export function memoryCallStore(state: MemoryState): CallStore {
  const plainHandle: HandedTransaction = { db: state.db, revoke() {} }

  /** Puts a row in place of the one that stood, and keeps the indexes. */
  function replace(tenant: TenantState, call: StoredCall): void {
    tenant.calls.set(call.callId, call)
    if (call.status === 'unknown') tenant.unknown.add(call.callId)
    else if (tenant.unknown.size > 0) tenant.unknown.delete(call.callId)
  }

  function insert(tenant: TenantState, call: StoredCall): void {
    replace(tenant, call)
    tenant.callOrder.push(call.callId)
    if (call.idempotencyKey !== undefined) tenant.callByKey.set(keyOfCall(call, call.idempotencyKey), call.callId)
  }

  function recordStart(tenant: TenantState, call: StoredCall, now: Date): void {
    tenant.running.set(call.callId, state.record(tenant, 'started', call, now).inputDigest)
  }

  function standing(tenant: TenantState, call: StoredCall): StoredCall | undefined {
    const sameId = tenant.calls.get(call.callId)
    if (sameId !== undefined || call.idempotencyKey === undefined) return sameId
    const callId = tenant.callByKey.get(keyOfCall(call, call.idempotencyKey))
    return callId === undefined ? undefined : tenant.calls.get(callId)
  }

  function claimNew(tenant: TenantState, request: ClaimRequest): ClaimOutcome {
    const existing = standing(tenant, request.call)
    if (existing !== undefined) return { kind: 'existing', call: existing }
    const now = state.now()
    const limited = spendQuotas(tenant, request.quotas, now)
    if (limited !== undefined) return { kind: 'limited', ...limited }
    const call = startedCall(request.call, 1, now, now, request.attemptMs)
    insert(tenant, call)
    recordStart(tenant, call, now)
    return { kind: 'claimed', call }
  }

  function claimApproved(tenant: TenantState, request: ClaimRequest): ClaimOutcome {
    const stored = tenant.calls.get(request.call.callId)
    const now = state.now()
    const consume = consumeApproval(tenant, stored, request.approval, now)
    if (typeof consume === 'string') return { kind: 'not-approved', why: consume, call: stored }
    const limited = spendQuotas(tenant, request.quotas, now)
    if (limited !== undefined) return { kind: 'limited', ...limited }
    consume.use()
    const call = startedCall(consume.call, consume.call.attempt + 1, consume.call.createdAt, now, request.attemptMs)
    replace(tenant, call)
    recordStart(tenant, call, now)
    return { kind: 'claimed', call }
  }

  async function claimRecovery(tenant: TenantState, request: ClaimRequest): Promise<ClaimOutcome> {
    const { callId, attempt } = request.call
    while (tenant.locks.has(callId)) await tenant.locks.get(callId)
    const stored = tenant.calls.get(callId)
    if (stored === undefined) return { kind: 'not-approved', why: 'missing', call: undefined }
    if (request.lease && !holdsLease(tenant, request.lease)) return { kind: 'lease-lost' }
    const now = state.now()
    if (stored.attempt !== attempt || !isAbandoned(stored, now)) return { kind: 'existing', call: stored }
    const limited = spendQuotas(tenant, request.quotas, now)
    if (limited !== undefined) return { kind: 'limited', ...limited }
    const call = startedCall(stored, stored.attempt + 1, stored.createdAt, now, request.attemptMs)
    replace(tenant, call)
    recordStart(tenant, call, now)
    return { kind: 'claimed', call }
  }

  /** Stores the ending of a call that stands; content that was erased meanwhile does not come back. */
  function end(tenant: TenantState, stored: StoredCall, ending: CallEnding, by?: Principal): void {
    const now = state.now()
    const call: StoredCall = {
      ...stored,
      status: ending.status,
      code: ending.code,
      description: ending.description,
      payload: stored.payload === undefined ? undefined : ending.payload,
      durationMs: ending.durationMs,
      truncated: ending.truncated,
      endedAt: now,
    }
    const { payload } = stored
    const isSameInput = payload?.digest === ending.payload.digest && payload.salt === ending.payload.salt
    const inputDigest = isSameInput ? tenant.running.get(call.callId) : undefined
    replace(tenant, call)
    tenant.running.delete(call.callId)
    state.record(tenant, stored.status === 'unknown' ? 'settled' : 'ended', call, now, by, ending.payload, inputDigest)
  }

  return {
    async claim(request) {
      const tenant = state.tenant(request.call.tenantId)
      if (request.lease && !holdsLease(tenant, request.lease)) return { kind: 'lease-lost' }
      switch (request.from) {
        case 'new':
          return claimNew(tenant, request)
        case 'approved':
          return claimApproved(tenant, request)
        case 'recovery':
          return claimRecovery(tenant, request)
      }
    },

    async ask(call: StoredCall, approval: Approval, quotas: readonly Quota[], lease?: LeaseFence) {
      const tenant = state.tenant(call.tenantId)
      if (lease && !holdsLease(tenant, lease)) return { kind: 'lease-lost' }
      const existing = standing(tenant, call)
      const isAskedAgain =
        existing?.callId === call.callId &&
        existing.status === 'awaiting_approval' &&
        existing.approvalId !== approval.approvalId &&
        (call.approvalId === undefined || call.approvalId === existing.approvalId)
      if (existing !== undefined && !isAskedAgain) return { kind: 'existing', call: existing }
      const now = state.now()
      const limited = spendQuotas(tenant, quotas, now)
      if (limited !== undefined) return { kind: 'limited', ...limited }
      const waiting: StoredCall = {
        ...call,
        status: 'awaiting_approval',
        attempt: 0,
        attemptUntil: undefined,
        approvalId: approval.approvalId,
        createdAt: existing?.createdAt ?? now,
      }
      if (existing === undefined) insert(tenant, waiting)
      else {
        closeWith(tenant, existing.approvalId, 'withdrawn')
        replace(tenant, waiting)
      }
      tenant.approvals.set(approval.approvalId, { ...approval, status: 'pending', createdAt: now })
      tenant.approvalOrder.push(approval.approvalId)
      tenant.openApprovals.add(approval.approvalId)
      state.record(tenant, 'asked', waiting, now)
      return { kind: 'asked' }
    },

    async recordEnded(call, lease) {
      const tenant = state.tenant(call.tenantId)
      if (lease && !holdsLease(tenant, lease)) return
      if (tenant.calls.has(call.callId)) return
      const now = state.now()
      const ended: StoredCall = { ...call, idempotencyKey: undefined, createdAt: now, endedAt: now }
      insert(tenant, ended)
      state.record(tenant, 'ended', ended, now)
    },

    async transact(fence, effect) {
      const tenant = state.tenants.get(fence.tenantId)
      if (tenant === undefined) return { kind: 'fenced', call: undefined }
      return underLock(tenant, fence.callId, async () => {
        const stored = tenant.calls.get(fence.callId)
        if (stored?.status !== 'running' || stored.attempt !== fence.attempt) return { kind: 'fenced', call: stored }
        if (fence.lease && !holdsLease(tenant, fence.lease)) return { kind: 'fenced', call: stored }
        const ending = await unlessRevoked(state.db, effect)
        end(tenant, tenant.calls.get(fence.callId) ?? stored, ending)
        return { kind: 'committed', ending }
      })
    },

    async read(_tenantId, effect) {
      return effect(plainHandle)
    },

    readersDb() {
      return plainHandle
    },

    async finish(fence, ending, save) {
      const tenant = state.tenants.get(fence.tenantId)
      if (tenant === undefined) return { kind: 'fenced', call: undefined }
      if (save === undefined) {
        while (tenant.locks.has(fence.callId)) await tenant.locks.get(fence.callId)
        const stored = tenant.calls.get(fence.callId)
        if (stored === undefined || !mayFinish(tenant, stored, fence, ending)) return { kind: 'fenced', call: stored }
        end(tenant, stored, ending)
        return { kind: 'committed', ending }
      }
      return underLock(tenant, fence.callId, async () => {
        const stored = tenant.calls.get(fence.callId)
        if (stored === undefined || !mayFinish(tenant, stored, fence, ending)) return { kind: 'fenced', call: stored }
        await unlessRevoked(state.db, save)
        end(tenant, tenant.calls.get(fence.callId) ?? stored, ending)
        return { kind: 'committed', ending }
      })
    },

    async endWaiting(tenantId, callId, ending) {
      const tenant = state.tenants.get(tenantId)
      const stored = tenant?.calls.get(callId)
      if (tenant === undefined || stored?.status !== 'awaiting_approval') return undefined
      const now = state.now()
      const call: StoredCall = {
        ...stored,
        status: ending.status,
        code: ending.code,
        description: ending.description,
        payload: stored.payload === undefined ? undefined : (ending.payload ?? stored.payload),
        endedAt: now,
      }
      replace(tenant, call)
      closeWith(tenant, stored.approvalId, ending.status === 'expired' ? 'expired' : 'withdrawn')
      state.record(tenant, 'ended', call, now, undefined, ending.payload)
      return call
    },

    async settle(tenantId, callId, ending, by) {
      const tenant = state.tenants.get(tenantId)
      if (tenant === undefined) return undefined
      while (tenant.locks.has(callId)) await tenant.locks.get(callId)
      const stored = tenant.calls.get(callId)
      if (stored?.status !== 'unknown' || ending.status === 'unknown') return undefined
      end(tenant, stored, ending, by)
      return tenant.calls.get(callId)
    },

    async get(tenantId, callId) {
      return state.tenants.get(tenantId)?.calls.get(callId)
    },

    async getByKey(tenantId, userId, pack, toolName, key) {
      const tenant = state.tenants.get(tenantId)
      const callId = tenant?.callByKey.get(keyOf(userId, pack, toolName, key))
      return callId === undefined ? undefined : tenant?.calls.get(callId)
    },

    async unsettled({ tenantId, userId, threadId, pack, toolName }) {
      const tenant = state.tenants.get(tenantId)
      const found: StoredCall[] = []
      for (const callId of tenant?.unknown ?? []) {
        const call = tenant?.calls.get(callId)
        if (call === undefined || call.kind === 'read' || call.pack !== pack || call.toolName !== toolName) continue
        if (threadId === undefined ? call.principal.userId === userId : call.threadId === threadId) found.push(call)
      }
      return found
    },

    async list(tenantId, filter) {
      const tenant = state.tenants.get(tenantId)
      if (tenant === undefined) return { items: [] }
      return newestFirst(tenant.callOrder, tenant.calls, filter, (call) => matchesFilter(call, filter))
    },

    async abandoned(limit) {
      const now = state.now()
      const found: StoredCall[] = []
      for (const tenant of state.tenants.values()) {
        for (const callId of tenant.running.keys()) {
          if (found.length >= limit) return found
          const call = tenant.calls.get(callId)
          if (call !== undefined && isAbandoned(call, now)) found.push(call)
        }
      }
      return found
    },

    async erase(tenantId, callId) {
      const tenant = state.tenants.get(tenantId)
      const stored = tenant?.calls.get(callId)
      if (tenant === undefined || stored?.payload === undefined) return
      const call: StoredCall = { ...stored, payload: undefined }
      replace(tenant, call)
      for (const [approvalId, approval] of tenant.approvals) {
        if (approval.callId !== callId) continue
        const decision = approval.decision && { ...approval.decision, editedDigest: undefined }
        tenant.approvals.set(approvalId, { ...approval, digest: '', preview: undefined, basis: undefined, decision })
      }
      state.record(tenant, 'erased', call, state.now(), undefined, stored.payload)
    },
  }
}

function startedCall(call: StoredCall, attempt: number, createdAt: Date, now: Date, attemptMs: number): StoredCall {
  return {
    ...call,
    status: 'running',
    attempt,
    attemptUntil: new Date(now.getTime() + attemptMs),
    createdAt,
    executedAt: now,
  }
}

function isAbandoned(call: StoredCall, now: Date): boolean {
  return call.status === 'running' && call.attemptUntil !== undefined && call.attemptUntil < now
}

/**
 * A running call takes the ending of its own attempt, an unknown one what its attempt reports late. What happened
 * outside is kept even when the run has another holder: the attempt alone says whose outcome it is.
 */
function mayFinish(tenant: TenantState, call: StoredCall, fence: AttemptFence, ending: CallEnding): boolean {
  if (call.attempt !== fence.attempt) return false
  if (call.status === 'unknown') return ending.status !== 'unknown'
  if (call.status !== 'running') return false
  return call.effect === 'external' || fence.lease === undefined || holdsLease(tenant, fence.lease)
}

/** Runs an effect on a handle that can be taken back; what was taken back does not commit, whatever it returns. */
async function unlessRevoked<T>(db: unknown, effect: (transaction: HandedTransaction) => Promise<T>): Promise<T> {
  let revoked: Error | undefined
  const result = await effect({
    db,
    revoke(reason) {
      revoked ??= reason
    },
  })
  if (revoked !== undefined) throw revoked
  return result
}

/** Waits for the call's lock in a loop of its own: between the last look and what follows nothing else may run. */
async function underLock<T>(tenant: TenantState, callId: string, section: () => Promise<T>): Promise<T> {
  while (tenant.locks.has(callId)) await tenant.locks.get(callId)
  const { promise, resolve } = Promise.withResolvers<void>()
  tenant.locks.set(callId, promise)
  try {
    return await section()
  } finally {
    tenant.locks.delete(callId)
    resolve()
  }
}

function keyOfCall(call: StoredCall, key: string): string {
  return keyOf(call.principal.userId, call.pack, call.toolName, key)
}

/** Lengths first, so that no two different keys read the same. */
function keyOf(userId: string, pack: string, toolName: string, key: string): string {
  return `${userId.length}:${pack.length}:${toolName.length}:${userId}${pack}${toolName}${key}`
}

function matchesFilter(call: StoredCall, filter: CallFilter): boolean {
  return (
    (filter.runId === undefined || call.runId === filter.runId) &&
    (filter.threadId === undefined || call.threadId === filter.threadId) &&
    (filter.pack === undefined || call.pack === filter.pack) &&
    (filter.toolName === undefined || call.toolName === filter.toolName) &&
    (filter.userId === undefined || call.principal.userId === filter.userId) &&
    (filter.status === undefined || call.status === filter.status) &&
    (filter.from === undefined || call.createdAt >= filter.from) &&
    (filter.to === undefined || call.createdAt < filter.to)
  )
}
