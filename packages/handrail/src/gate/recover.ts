import type { StoredCall } from '../ledger/call-record.ts'
import type { LeaseFence } from '../store/store.ts'
import { authorizeAgain } from './authorize-again.ts'
import { carryOut } from './carry-out.ts'
import { claim } from './claim.ts'
import { type EndingFacts, ended } from './ending-of.ts'
import type { GateContext } from './gate-context.ts'
import { payloadOf } from './governed-call.ts'
import { isStopped } from './stopped.ts'

/** Digest of what was judged: what a person approved, where one was asked. */
async function judgedDigest({ store }: GateContext, call: StoredCall): Promise<string | undefined> {
  const approval = call.approvalId && (await store.approvals.get(call.tenantId, call.approvalId))
  return approval ? approval.digest : call.payload?.digest
}

/**
 * Settles a call whose holder is gone, by the nature of its effect: what lies in our database was committed or not and
 * is done now; what may be repeated with its key is repeated; any other act outside becomes an unknown outcome.
 *
 * @returns the call as it stands afterwards; undefined when its attempt has not run out, or another took it over
 */
export async function recover(
  context: GateContext,
  call: StoredCall,
  lease?: LeaseFence,
): Promise<StoredCall | undefined> {
  const governed = context.packs.get(call.pack)
  const tool = governed?.tools.get(call.toolName)
  // A tool this process does not know is left to one that does: deployments roll.
  if (governed === undefined || tool === undefined || tool.version !== call.toolVersion || call.payload === undefined)
    return undefined
  const claimed = await claim(context, tool, call, { from: 'recovery' }, lease)
  if (claimed.kind !== 'claimed') return claimed.kind === 'existing' ? claimed.call : undefined

  const facts: EndingFacts = {
    governed,
    tool,
    payload: call.payload,
    serviceCall: undefined,
    startedAt: performance.now(),
  }
  const fence = {
    tenantId: call.tenantId,
    callId: call.callId,
    attempt: claimed.call.attempt,
    ...(lease ? { lease } : {}),
  }
  const endAs = async (ending: ReturnType<typeof ended>) => {
    await context.store.calls.finish(fence, ending)
    return context.store.calls.get(call.tenantId, call.callId)
  }
  const { say } = governed
  if (tool.kind !== 'read' && tool.effect === 'external' && !tool.idempotent) {
    return endAs(
      ended(facts, 'unknown', {
        success: false,
        code: 'UNKNOWN_OUTCOME',
        error: say.unknownOutcome({ tool: tool.title }),
        next: say.unknownOutcomeNext(),
      }),
    )
  }
  const authorized = await authorizeAgain(context, governed, tool, call, call.payload)
  if (isStopped(authorized)) {
    return endAs(ended(facts, authorized.status === 'refused' ? 'refused' : 'failed', authorized.failure))
  }
  const judged = await judgedDigest(context, call)
  if (payloadOf(governed, tool, call.scope, call.payload.input).digest !== judged) {
    const error = say.notAsApproved({ tool: tool.title })
    return endAs(ended(facts, 'refused', { success: false, code: 'CONFLICT', error }))
  }
  return carryOut(context, {
    governed,
    tool,
    call: { ...claimed.call, principal: authorized.principal },
    payload: call.payload,
    lease,
    signal: undefined,
    onEvent: undefined,
  })
}
