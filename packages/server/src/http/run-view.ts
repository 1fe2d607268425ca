import type { Principal, Run } from 'handrail'

/** A run as people see it: without its lease, and with the model's own words about a failure for owners alone. */
export function runViewOf(run: Run, { roles }: Principal) {
  const { runId, threadId, pack, scope, mode, status, step, activeMs, usage, cancelRequested, finishReason, error } =
    run
  return {
    runId,
    threadId,
    userId: run.principal.userId,
    pack,
    scope,
    mode,
    status,
    step,
    activeMs,
    usage,
    cancelRequested,
    finishReason,
    error: roles.includes('owner') ? error : undefined,
    createdAt: run.createdAt.toISOString(),
    endedAt: run.endedAt?.toISOString(),
  }
}
