import type { StoredCall } from '../ledger/call-record.ts'
import type { ClaimOutcome, LeaseFence, Quota } from '../store/store.ts'
import type { Tool } from '../tool/tool.ts'
import { timeoutOf } from './carry-out.ts'
import type { GateContext } from './gate-context.ts'

/** Beyond the deadline: the time to record what happened before others may settle the attempt. */
const recordingMs = 5_000
const hourMs = 3_600_000

/**
 * Key, approval, quota and lease in one transaction: whoever gets `claimed` is the only one to execute this attempt.
 */
export function claim(
  context: GateContext,
  tool: Tool,
  call: StoredCall,
  how: { from: 'new' } | { from: 'approved'; approvalId: string; digest: string } | { from: 'recovery' },
  lease: LeaseFence | undefined,
): Promise<ClaimOutcome> {
  return context.store.calls.claim({
    call: { ...call, status: 'running' },
    from: how.from,
    ...(how.from === 'approved' ? { approval: { approvalId: how.approvalId, digest: how.digest } } : {}),
    quotas: how.from === 'new' ? quotasOf(context, tool, call.principal.userId) : [],
    ...(lease ? { lease } : {}),
    attemptMs: timeoutOf(context, tool) + recordingMs,
  })
}

/** Spent at the claim, or when a call is asked for: an honest retry with its key gets its outcome instead. */
export function quotasOf(context: GateContext, tool: Tool, userId: string): Quota[] {
  const quotas: Quota[] = [{ key: `calls:${userId}`, limit: context.limits.callsPerHour, windowMs: hourMs }]
  const { perHour } = tool.limits
  if (perHour !== undefined) quotas.push({ key: `tool:${userId}:${tool.name}`, limit: perHour, windowMs: hourMs })
  return quotas
}
