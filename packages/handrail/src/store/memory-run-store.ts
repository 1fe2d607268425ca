import { randomUUID } from 'node:crypto'
import { LeaseLostError } from '../errors/lease-lost-error.ts'
import { StoreError } from '../errors/store-error.ts'
import { newestFirst } from './memory-page.ts'
import { holdsLease, type MemoryState, spendQuotas, type TenantState, type ThreadState } from './memory-state.ts'
import type { Run, RunStore, Thread, ThreadMessage } from './run-store.ts'
import type { LeaseFence } from './store.ts'

/** Threads and runs in memory. Each method is one synchronous section. */
export function memoryRunStore(state: MemoryState): RunStore {
  function threadOf(tenantId: string, threadId: string): ThreadState | undefined {
    return state.tenants.get(tenantId)?.threads.get(threadId)
  }

  /** The run and its thread, if this token holds it. */
  function held(
    tenantId: string,
    lease: LeaseFence,
  ): { tenant: TenantState; run: Run; thread: ThreadState } | undefined {
    const tenant = state.tenants.get(tenantId)
    const run = tenant?.runs.get(lease.runId)
    const thread = run && tenant?.threads.get(run.threadId)
    if (tenant === undefined || run === undefined || thread === undefined || !holdsLease(tenant, lease))
      return undefined
    return { tenant, run, thread }
  }

  /** Appends with the next position; a message that stands keeps its place and takes the new parts. */
  function place(
    thread: ThreadState,
    message: Omit<ThreadMessage, 'position' | 'createdAt'>,
    now: Date,
  ): ThreadMessage {
    const before = thread.messages.get(message.messageId)
    if (before === undefined) thread.lastPosition += 1
    const placed: ThreadMessage = {
      ...message,
      position: before?.position ?? thread.lastPosition,
      createdAt: before?.createdAt ?? now,
    }
    thread.messages.set(message.messageId, placed)
    thread.thread = { ...thread.thread, updatedAt: now }
    return placed
  }

  function placeQueued(thread: ThreadState, runId: string, now: Date): ThreadMessage[] {
    const { threadId } = thread.thread
    const placed = [...thread.queued.values()].map((message) =>
      place(thread, { ...message, threadId, role: 'user', runId }, now),
    )
    thread.queued.clear()
    return placed
  }

  return {
    async createThread(thread) {
      const tenant = state.tenant(thread.tenantId)
      if (tenant.threads.has(thread.threadId)) throw new StoreError(`Thread ${thread.threadId} exists already`)
      const now = state.now()
      const created: Thread = { ...thread, untrusted: false, createdAt: now, updatedAt: now }
      tenant.threads.set(thread.threadId, {
        thread: created,
        lastPosition: 0,
        messages: new Map(),
        queued: new Map(),
        steps: [],
        liveRunId: undefined,
      })
      tenant.threadOrder.push(thread.threadId)
      return created
    },

    async getThread(tenantId, threadId) {
      return threadOf(tenantId, threadId)?.thread
    },

    async listThreads(tenantId, filter) {
      const tenant = state.tenants.get(tenantId)
      if (tenant === undefined) return { items: [] }
      const page = newestFirst(
        tenant.threadOrder,
        tenant.threads,
        filter,
        ({ thread }) => thread.userId === filter.userId,
      )
      return { ...page, items: page.items.map(({ thread }) => thread) }
    },

    async markUntrusted(tenantId, threadId) {
      const found = threadOf(tenantId, threadId)
      if (found !== undefined) found.thread = { ...found.thread, untrusted: true }
    },

    async messages(tenantId, threadId) {
      // A message keeps its place in the map when it is replaced, so the order of insertion is that of positions.
      return [...(threadOf(tenantId, threadId)?.messages.values() ?? [])]
    },

    async saveMessage(tenantId, message, lease) {
      const thread = threadOf(tenantId, message.threadId)
      if (thread === undefined) throw new StoreError(`Thread ${message.threadId} does not exist`)
      if (lease !== undefined && held(tenantId, lease)?.thread !== thread) throw new LeaseLostError(lease.runId)
      return place(thread, message, state.now())
    },

    async start(request, message, quotas = []) {
      const tenant = state.tenant(request.tenantId)
      const thread = tenant.threads.get(request.threadId)
      if (thread === undefined) throw new StoreError(`Thread ${request.threadId} does not exist`)
      const now = state.now()
      const live = thread.liveRunId === undefined ? undefined : tenant.runs.get(thread.liveRunId)
      if (live !== undefined) {
        if (message === undefined || thread.messages.has(message.messageId)) return { kind: 'live', run: live }
        thread.queued.set(message.messageId, message)
        const woken: Run = { ...live, wakeAt: now }
        tenant.runs.set(live.runId, woken)
        return { kind: 'live', run: woken }
      }
      const limited = spendQuotas(tenant, quotas, now)
      if (limited !== undefined) return { kind: 'limited', ...limited }
      const run: Run = {
        ...request,
        status: 'running',
        step: 0,
        activeMs: 0,
        usage: { inputTokens: 0, outputTokens: 0 },
        cancelRequested: false,
        finishReason: undefined,
        error: undefined,
        leaseOwner: undefined,
        leaseToken: undefined,
        leaseUntil: undefined,
        wakeAt: undefined,
        createdAt: now,
        endedAt: undefined,
      }
      tenant.runs.set(run.runId, run)
      tenant.runOrder.push(run.runId)
      tenant.liveRuns.add(run.runId)
      thread.liveRunId = run.runId
      if (message !== undefined) {
        place(thread, { ...message, threadId: run.threadId, role: 'user', runId: run.runId }, now)
      }
      return { kind: 'started', run }
    },

    async get(tenantId, runId) {
      return state.tenants.get(tenantId)?.runs.get(runId)
    },

    async list(tenantId, filter) {
      const tenant = state.tenants.get(tenantId)
      if (tenant === undefined) return { items: [] }
      return newestFirst(
        tenant.runOrder,
        tenant.runs,
        filter,
        (run) =>
          (filter.userId === undefined || run.principal.userId === filter.userId) &&
          (filter.threadId === undefined || run.threadId === filter.threadId) &&
          (filter.status === undefined || run.status === filter.status),
      )
    },

    async acquire(tenantId, runId, owner, leaseMs) {
      const tenant = state.tenants.get(tenantId)
      const run = tenant?.runs.get(runId)
      const now = state.now()
      if (tenant === undefined || run === undefined || !isLive(run) || isHeld(run, now)) return undefined
      const token = randomUUID()
      const until = new Date(now.getTime() + leaseMs)
      // A wake that is asked for from now on is seen at release; what was due before is being done.
      const leased = {
        status: 'running',
        leaseOwner: owner,
        leaseToken: token,
        leaseUntil: until,
        wakeAt: undefined,
      } as const
      tenant.runs.set(runId, { ...run, ...leased })
      return { runId, token, until }
    },

    async renew(tenantId, lease, leaseMs) {
      const found = held(tenantId, lease)
      if (found === undefined) return false
      const leaseUntil = new Date(state.now().getTime() + leaseMs)
      found.tenant.runs.set(lease.runId, { ...found.run, leaseUntil })
      return true
    },

    async release(tenantId, lease, next) {
      const found = held(tenantId, lease)
      if (found === undefined) return false
      const { tenant, run } = found
      tenant.runs.set(lease.runId, {
        ...run,
        ...noLease,
        status: next.status,
        activeMs: next.activeMs,
        wakeAt: run.wakeAt ?? next.wakeAt,
      })
      return true
    },

    async steps(tenantId, threadId) {
      return [...(threadOf(tenantId, threadId)?.steps ?? [])]
    },

    async recordStep(tenantId, lease, step, activeMs) {
      const found = held(tenantId, lease)
      if (found === undefined) return false
      const { tenant, run, thread } = found
      if (step.step !== run.step) return false
      thread.lastPosition += 1
      thread.steps.push({ ...step, runId: run.runId, position: thread.lastPosition, createdAt: state.now() })
      tenant.runs.set(run.runId, {
        ...run,
        step: run.step + 1,
        activeMs,
        usage: {
          inputTokens: run.usage.inputTokens + step.usage.inputTokens,
          outputTokens: run.usage.outputTokens + step.usage.outputTokens,
        },
      })
      return true
    },

    async deliverQueued(tenantId, lease) {
      const found = held(tenantId, lease)
      return found === undefined ? [] : placeQueued(found.thread, lease.runId, state.now())
    },

    async end(tenantId, lease, ending) {
      const found = held(tenantId, lease)
      if (found === undefined) return 'lost'
      const { tenant, run, thread } = found
      if (ending.status === 'done' && thread.queued.size > 0) return 'queued'
      const now = state.now()
      tenant.runs.set(run.runId, {
        ...run,
        ...noLease,
        status: ending.status,
        finishReason: ending.finishReason,
        error: ending.error,
        activeMs: ending.activeMs,
        wakeAt: undefined,
        endedAt: now,
      })
      tenant.liveRuns.delete(run.runId)
      thread.liveRunId = undefined
      placeQueued(thread, run.runId, now)
      return 'ended'
    },

    async requestCancel(tenantId, runId) {
      const tenant = state.tenants.get(tenantId)
      const run = tenant?.runs.get(runId)
      if (tenant === undefined || run === undefined || !isLive(run)) return run
      const cancelled: Run = { ...run, cancelRequested: true, wakeAt: state.now() }
      tenant.runs.set(runId, cancelled)
      return cancelled
    },

    async requestWake(tenantId, runId) {
      const tenant = state.tenants.get(tenantId)
      const run = tenant?.runs.get(runId)
      if (tenant === undefined || run === undefined || !isLive(run)) return
      tenant.runs.set(runId, { ...run, wakeAt: state.now() })
    },

    async due(limit) {
      const now = state.now()
      const found: Pick<Run, 'tenantId' | 'runId'>[] = []
      for (const [tenantId, tenant] of state.tenants) {
        for (const runId of tenant.liveRuns) {
          if (found.length >= limit) return found
          const run = tenant.runs.get(runId)
          if (run !== undefined && !isHeld(run, now) && isDue(tenant, run, now)) found.push({ tenantId, runId })
        }
      }
      return found
    },
  }
}

const noLease = { leaseOwner: undefined, leaseToken: undefined, leaseUntil: undefined } as const

function isLive(run: Run): boolean {
  return run.status === 'running' || run.status === 'waiting'
}

function isHeld(run: Run, now: Date): boolean {
  return run.leaseUntil !== undefined && run.leaseUntil > now
}

/** A live run is due at the time it was given; without one, unless it waits for an approval that is still open. */
function isDue(tenant: TenantState, run: Run, now: Date): boolean {
  if (run.wakeAt !== undefined) return run.wakeAt <= now
  return run.status === 'running' || !waitsForApproval(tenant, run)
}

function waitsForApproval(tenant: TenantState, { runId }: Run): boolean {
  for (const approvalId of tenant.openApprovals) if (tenant.approvals.get(approvalId)?.runId === runId) return true
  return false
}
