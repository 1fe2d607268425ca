import { followDecision } from './decide-approval.ts'
import type { GateContext } from './gate-context.ts'
import { recover } from './recover.ts'

const batch = 100

/**
 * Brings to an end what a dead process left: attempts that ran out are settled by the nature of their effect, approvals
 * past their time expire, decisions that were stored but not followed are followed. The rows are the truth; running it
 * often, or in several processes, is harmless.
 *
 * @returns how many calls and approvals were brought further
 */
export async function reconcile(context: GateContext): Promise<number> {
  let moved = 0
  for (const call of await context.store.calls.abandoned(batch)) {
    // A run settles its own calls under its lease, unless the run itself has ended.
    const run = call.runId ? await context.store.runs.get(call.tenantId, call.runId) : undefined
    if (run && (run.status === 'running' || run.status === 'waiting') && call.approvalId === undefined) continue
    if (await guarded(context, () => recover(context, call))) moved += 1
  }
  for (const approval of await context.store.approvals.expireDue(batch)) {
    if (await guarded(context, () => followDecision(context, approval))) moved += 1
  }
  for (const approval of await context.store.approvals.undone(batch)) {
    if (await guarded(context, () => followDecision(context, approval))) moved += 1
  }
  return moved
}

async function guarded(context: GateContext, work: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await work()) !== undefined
  } catch (error) {
    context.report({
      code: 'RECONCILE_FAILED',
      message: 'a call could not be brought to its end; it is tried again',
      error,
    })
    return false
  }
}
