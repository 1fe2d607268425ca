import type { StoredCall } from '../ledger/call-record.ts'
import type { CallOutcome } from './call-request.ts'
import type { GateContext } from './gate-context.ts'
import { type GovernedCall, newCall } from './governed-call.ts'
import { outcomeOf } from './outcome.ts'

/**
 * What need not be done again: a read this run has already done since its last write, and a call whose key was used.
 * The claim is what decides on keys; this only spares the way to it.
 */
export async function reuse(
  context: GateContext,
  governedCall: GovernedCall,
): Promise<{ kind: 'call'; call: StoredCall } | { kind: 'outcome'; outcome: CallOutcome } | undefined> {
  const { request, governed, tool, payload } = governedCall
  const cached = tool.cache ? request.readCache?.get(payload.digest) : undefined
  if (cached?.success) {
    const now = new Date()
    const call: StoredCall = {
      ...newCall(governedCall, 'done'),
      description: cached.message,
      cached: true,
      executedAt: now,
      endedAt: now,
      durationMs: 0,
      payload: { ...payload, result: cached },
    }
    await context.store.calls.recordEnded(call, request.run)
    return { kind: 'outcome', outcome: outcomeOf(governed, tool, call) }
  }
  if (request.idempotencyKey === undefined) return undefined
  const { tenantId, userId } = request.principal
  const call = await context.store.calls.getByKey(
    tenantId,
    userId,
    governed.pack.name,
    tool.name,
    request.idempotencyKey,
  )
  return call && { kind: 'call', call }
}
