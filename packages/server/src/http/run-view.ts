import type { Run } from 'handrail'

/** A run as people see it: without its lease. */
export function runViewOf(run: Run) {
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
    error,
    createdAt: run.createdAt.toISOString(),
    endedAt: run.endedAt?.toISOString(),
  }
}
