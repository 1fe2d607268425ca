import type { ErrorCode } from '../errors/error-code.ts'
import type { StoredCall, ToolCallRecord } from '../ledger/call-record.ts'
import type { Principal } from '../principal/principal.ts'
import type { CallEnding } from '../store/store.ts'
import { mayCall } from './authorize.ts'
import type { GateContext } from './gate-context.ts'
import { toRecord } from './to-record.ts'

export type SettlementOutcome =
  | { kind: 'settled'; call: ToolCallRecord }
  | { kind: 'refused'; code: ErrorCode; message: string }

/** A person who may call the tool says what became of a call whose outcome is unknown: it happened, or it did not. */
export async function settle(
  context: GateContext,
  request: { callId: string; outcome: 'happened' | 'did_not_happen'; principal: Principal },
): Promise<SettlementOutcome> {
  const { principal, callId } = request
  const call = await context.store.calls.get(principal.tenantId, callId)
  if (call === undefined) return { kind: 'refused', code: 'NOT_FOUND', message: context.say.callNotFound() }
  const governed = context.packs.get(call.pack)
  const tool = governed?.tools.get(call.toolName)
  if (governed === undefined || tool === undefined)
    return { kind: 'refused', code: 'UNAVAILABLE', message: context.say.toolGone({ tool: call.toolName }) }
  const isPerson = principal.actor === 'person' && principal.mayApprove !== false
  const isTheirs = principal.userId === call.principal.userId || governed.pack.roleOf(principal) === 'owner'
  if (!isPerson || !isTheirs || !mayCall(governed.pack, tool, principal))
    return { kind: 'refused', code: 'FORBIDDEN', message: governed.say.mayNotDecide() }
  const settled = await context.store.calls.settle(
    principal.tenantId,
    callId,
    endingOf(context, call, request.outcome),
    principal,
  )
  if (settled === undefined)
    return { kind: 'refused', code: 'CONFLICT', message: governed.say.notUnknown({ status: call.status }) }
  await context.store.signals.publish({ tenantId: principal.tenantId, topic: 'call', id: callId })
  return { kind: 'settled', call: toRecord(settled) }
}

function endingOf(context: GateContext, call: StoredCall, outcome: 'happened' | 'did_not_happen'): CallEnding {
  const { say } = context.packs.get(call.pack) ?? context.unknownPack
  const tool = context.packs.get(call.pack)?.tools.get(call.toolName)?.title ?? call.toolName
  const happened = outcome === 'happened'
  const description = happened ? say.settledHappened({ tool }) : say.settledDidNotHappen({ tool })
  const payload = call.payload ?? {
    input: null,
    digest: '',
    salt: '',
    apiCall: { service: `${call.pack}.${call.toolName}`, payload: null, kind: call.kind },
  }
  return {
    status: happened ? 'done' : 'failed',
    code: happened ? undefined : 'CANCELLED',
    description,
    payload: {
      ...payload,
      result: happened
        ? { success: true, data: null, message: description }
        : { success: false, code: 'CANCELLED', error: description },
    },
    durationMs: call.durationMs ?? 0,
    truncated: false,
  }
}
