import type { Approval } from '../approval/approval.ts'
import type { CallPayload, StoredCall } from '../ledger/call-record.ts'
import { canonicalJson } from '../ledger/digest.ts'
import type { Tool } from '../tool/tool.ts'
import type { ToolFailure } from '../tool/tool-result.ts'
import { ask, previewOf } from './ask.ts'
import { authorizeAgain } from './authorize-again.ts'
import { carryOut } from './carry-out.ts'
import { claim } from './claim.ts'
import type { GateContext, GovernedPack } from './gate-context.ts'
import { payloadOf } from './governed-call.ts'
import { judge } from './judge.ts'
import { isStopped } from './stopped.ts'
import { waitForEnd } from './wait-for-end.ts'

/**
 * Carries out what a person approved: the stored call passes the gate once more as things stand now, then the approval
 * is used up in the claim. However often and wherever it is resumed, it is executed once and has one outcome.
 */
export async function resume(context: GateContext, approval: Approval, call: StoredCall): Promise<StoredCall> {
  if (call.status !== 'awaiting_approval') return waitForEnd(context, call)
  const governed = context.packs.get(call.pack)
  const tool = governed?.tools.get(call.toolName)
  const { payload } = call
  if (governed === undefined || tool === undefined || payload === undefined) return call
  const { say } = governed

  const authorized = await authorizeAgain(context, governed, tool, call, payload)
  if (isStopped(authorized)) {
    const { failure, status } = authorized
    const description =
      status === 'refused'
        ? say.callRefused({ tool: tool.title, reason: failure.error })
        : say.callFailedBecause({ tool: tool.title, reason: failure.error })
    return endWaiting(context, call, payload, status === 'refused' ? 'refused' : 'failed', failure, description)
  }
  const { principal } = authorized
  const current: StoredCall = { ...call, principal }

  if (tool.version !== approval.toolVersion)
    return askAgain(
      context,
      governed,
      tool,
      current,
      payload,
      approval,
      say.askedAgainToolChanged({ tool: tool.title }),
    )
  const request = { name: tool.name, input: payload.input, principal, scope: call.scope }
  const verdict = await judge(context, { request, governed, tool, scope: call.scope, payload })
  if (verdict.verdict === 'refuse') {
    return endWaiting(
      context,
      call,
      payload,
      'refused',
      { success: false, code: 'REFUSED', error: verdict.reason },
      say.callRefused({ tool: tool.title, reason: verdict.reason }),
    )
  }
  if (verdict.verdict === 'ask' && !isSatisfied(verdict.approvers ?? { rule: 'requester' }, approval)) {
    return askAgain(
      context,
      governed,
      tool,
      current,
      payload,
      { ...approval, approvers: verdict.approvers ?? approval.approvers },
      verdict.reason,
    )
  }
  const asked = await previewOf(context, governed, tool, payload.input, principal, call.scope)
  if (isStopped(asked))
    return endWaiting(
      context,
      call,
      payload,
      asked.status === 'refused' ? 'refused' : 'failed',
      asked.failure,
      say.callFailedBecause({ tool: tool.title, reason: asked.failure.error }),
    )
  const isSeen = approval.decision?.editedDigest === undefined || isSameView(asked.view, approval.preview)
  if (!isSeen) {
    const reason = say.askedAgainEdited({ tool: tool.title })
    return askAgain(context, governed, tool, current, payload, approval, reason)
  }
  if (asked.basis !== approval.basis)
    return askAgain(
      context,
      governed,
      tool,
      current,
      payload,
      approval,
      say.askedAgainBasisChanged({ tool: tool.title }),
    )

  const claimed = await claim(
    context,
    tool,
    current,
    {
      from: 'approved',
      approvalId: approval.approvalId,
      // Of what would run, not the digest that is stored beside it.
      digest: payloadOf(governed, tool, call.scope, payload.input).digest,
    },
    undefined,
  )
  switch (claimed.kind) {
    case 'claimed':
      return (
        (await carryOut(context, {
          governed,
          tool,
          call: { ...claimed.call, principal },
          payload,
          lease: undefined,
          signal: undefined,
          onEvent: undefined,
        })) ?? claimed.call
      )
    case 'existing':
      return waitForEnd(context, claimed.call)
    case 'not-approved':
      if (claimed.why === 'changed') return resumeChanged(context, governed, tool, approval, current)
      return claimed.call ? waitForEnd(context, claimed.call) : call
    default:
      return call
  }
}

/** What is stored is not what was approved: an edit that was approved meanwhile is carried out, anything else ends. */
async function resumeChanged(
  context: GateContext,
  governed: GovernedPack,
  tool: Tool,
  before: Approval,
  call: StoredCall,
): Promise<StoredCall> {
  const approval = await context.store.approvals.get(before.tenantId, before.approvalId)
  const current = await context.store.calls.get(call.tenantId, call.callId)
  if (approval === undefined || current?.payload === undefined) return current ?? call
  const isApproved =
    current.payload.digest === approval.digest &&
    payloadOf(governed, tool, current.scope, current.payload.input).digest === approval.digest
  if (isApproved && approval.digest !== before.digest) return resume(context, approval, current)
  const error = governed.say.notAsApproved({ tool: tool.title })
  return endWaiting(
    context,
    current,
    current.payload,
    'refused',
    { success: false, code: 'CONFLICT', error, next: governed.say.expiredNext() },
    governed.say.callRefused({ tool: tool.title, reason: error }),
  )
}

/** Does the decision that was made meet what the policy asks for now? */
function isSatisfied(approvers: Approval['approvers'], { decision, requestedBy }: Approval): boolean {
  if (decision === undefined) return false
  if (approvers.rule === 'four_eyes') return decision.by.userId !== requestedBy.userId
  if (approvers.rule === 'role') return decision.by.roles.some((role) => approvers.roles.includes(role))
  return true
}

/** Does what a person saw show what would happen now? Arguments they edited may point at something else. */
function isSameView(now: unknown, shown: unknown): boolean {
  return canonicalJson(now ?? null) === canonicalJson(shown ?? null)
}

async function endWaiting(
  context: GateContext,
  call: StoredCall,
  payload: CallPayload,
  status: 'refused' | 'failed',
  failure: ToolFailure,
  description: string,
): Promise<StoredCall> {
  const ended = await context.store.calls.endWaiting(call.tenantId, call.callId, {
    status,
    code: failure.code,
    description,
    payload: { ...payload, result: failure },
  })
  if (call.approvalId) await context.store.approvals.withdraw(call.tenantId, call.approvalId)
  return ended ?? (await context.store.calls.get(call.tenantId, call.callId)) ?? call
}

/** What was judged is not what would run any more: the old approval is withdrawn, and a person is asked anew. */
async function askAgain(
  context: GateContext,
  governed: GovernedPack,
  tool: Tool,
  call: StoredCall,
  payload: CallPayload,
  approval: Approval,
  reason: string,
): Promise<StoredCall> {
  const asked = await previewOf(context, governed, tool, payload.input, call.principal, call.scope)
  if (isStopped(asked))
    return endWaiting(
      context,
      call,
      payload,
      'failed',
      asked.failure,
      governed.say.callFailedBecause({ tool: tool.title, reason: asked.failure.error }),
    )
  const again: StoredCall = {
    ...call,
    toolVersion: tool.version,
    payload: payloadOf(governed, tool, call.scope, payload.input),
  }
  const { waiting } = await ask(context, governed, tool, again, {
    reason,
    approvers: approval.approvers,
    form: approval.form,
    asked,
    lease: undefined,
  })
  return (await context.store.calls.get(call.tenantId, call.callId)) ?? waiting
}
