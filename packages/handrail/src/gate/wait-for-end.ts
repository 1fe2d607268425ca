import type { StoredCall } from '../ledger/call-record.ts'
import type { GateContext } from './gate-context.ts'

const pollMs = 50
/** Beyond this the caller gets the call as it stands and asks again. */
const longestMs = 30_000

/** Waits for the one outcome of a call that someone executes, here or in another process. */
export async function waitForEnd(context: GateContext, call: StoredCall): Promise<StoredCall> {
  const { tenantId, callId } = call
  await context.inFlight.get(callId)?.catch(() => undefined)
  const until = performance.now() + longestMs
  let current = call
  for (;;) {
    current = (await context.store.calls.get(tenantId, callId)) ?? current
    if (current.status !== 'running' || performance.now() > until) return current
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
