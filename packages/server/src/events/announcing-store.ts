import type { CallEnding, Signal, Store } from 'handrail'

/**
 * The same store, whose writes are announced to whoever follows a workspace: what waits for a decision, how calls and
 * runs end, and that data changed. A signal carries ids only and is never waited for: one that is lost costs its
 * follower the time until it looks by itself.
 */
export function announcingStore<T extends Store>(store: T): T {
  const announce = (tenantId: string, topic: Signal['topic'], id: string): void => {
    store.signals.publish({ tenantId, topic, id }).catch(() => {})
  }
  const announceEnd = (tenantId: string, callId: string, { status, payload }: CallEnding): void => {
    announce(tenantId, 'call', callId)
    if (status === 'done' && payload.apiCall.kind !== 'read') announce(tenantId, 'changed', callId)
  }
  return {
    ...store,
    calls: {
      ...store.calls,
      async ask(call, approval, quotas, lease) {
        const outcome = await store.calls.ask(call, approval, quotas, lease)
        if (outcome.kind === 'asked') {
          announce(call.tenantId, 'approval', approval.approvalId)
          announce(call.tenantId, 'call', call.callId)
        }
        return outcome
      },
      async transact(fence, effect) {
        const outcome = await store.calls.transact(fence, effect)
        if (outcome.kind === 'committed') announceEnd(fence.tenantId, fence.callId, outcome.ending)
        return outcome
      },
      async finish(fence, ending, save) {
        const outcome = await store.calls.finish(fence, ending, save)
        if (outcome.kind === 'committed') announceEnd(fence.tenantId, fence.callId, outcome.ending)
        return outcome
      },
    },
    runs: {
      ...store.runs,
      async createThread(thread) {
        const created = await store.runs.createThread(thread)
        announce(thread.tenantId, 'thread', thread.threadId)
        return created
      },
      async start(run, message, quotas) {
        const outcome = await store.runs.start(run, message, quotas)
        if (outcome.kind !== 'limited') announce(run.tenantId, 'run', outcome.run.runId)
        return outcome
      },
      async release(tenantId, lease, next) {
        const isReleased = await store.runs.release(tenantId, lease, next)
        if (isReleased) announce(tenantId, 'run', lease.runId)
        return isReleased
      },
      async end(tenantId, lease, ending) {
        const outcome = await store.runs.end(tenantId, lease, ending)
        if (outcome === 'ended') announce(tenantId, 'run', lease.runId)
        return outcome
      },
    },
  }
}
