import type { Principal, Scope } from '../principal/principal.ts'
import type { RegistryCall, ToolCaller } from '../registry/tool-caller.ts'
import { isAsking } from '../tool/tool-result.ts'
import type { CallRequest } from './call-request.ts'
import { decideApproval } from './decide-approval.ts'
import type { GateContext } from './gate-context.ts'
import { pass } from './pass.ts'

/** The gate as a registry wants it: bound to one principal and scope. Calls it makes are a model's, decisions the person's. */
export function toolCaller(
  context: GateContext,
  principal: Principal,
  scope: Scope | undefined,
  pack: string | undefined,
): ToolCaller {
  const asked: Principal = principal.actor === 'person' ? { ...principal, actor: 'agent' } : principal
  const requestOf = ({ name, input, idempotencyKey, signal }: RegistryCall): CallRequest => {
    const request: CallRequest = { name, input, principal: asked }
    if (scope !== undefined) request.scope = scope
    if (pack !== undefined) request.pack = pack
    if (idempotencyKey !== undefined) request.idempotencyKey = idempotencyKey
    if (signal !== undefined) request.signal = signal
    return request
  }
  return {
    async call(request) {
      const outcome = await pass(context, requestOf(request))
      if (outcome === 'allowed') throw new Error('the gate stopped short of executing')
      return outcome
    },

    async decide(request) {
      const outcome = await pass(context, requestOf(request), 'decided')
      if (outcome === 'allowed') return { answer: 'allow' }
      const { result, record } = outcome
      if (isAsking(result)) {
        const approval = await context.store.approvals.get(principal.tenantId, result.approvalId)
        return { answer: 'ask', approvalId: result.approvalId, reason: approval?.reason ?? result.message }
      }
      const isRefusal =
        !result.success && (record.status === 'refused' || record.status === 'declined' || record.status === 'expired')
      return isRefusal ? { answer: 'refuse', reason: result.error } : { answer: 'allow' }
    },

    async respond({ name, idempotencyKey, approve, reason }) {
      const packName = pack ?? [...context.packs.values()].find(({ tools }) => tools.has(name))?.pack.name
      if (packName === undefined) return
      const call = await context.store.calls.getByKey(
        principal.tenantId,
        principal.userId,
        packName,
        name,
        idempotencyKey,
      )
      if (call?.status !== 'awaiting_approval' || call.approvalId === undefined) return
      const request = {
        approvalId: call.approvalId,
        decision: approve ? ('approve' as const) : ('decline' as const),
        principal,
      }
      await decideApproval(context, reason === undefined ? request : { ...request, reason })
    },
  }
}
