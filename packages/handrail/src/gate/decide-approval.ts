import type { Approval } from '../approval/approval.ts'
import { mayDecide } from '../approval/may-decide.ts'
import type { ErrorCode } from '../errors/error-code.ts'
import type { CallPayload, StoredCall, ToolCallRecord } from '../ledger/call-record.ts'
import type { Principal } from '../principal/principal.ts'
import type { Tool } from '../tool/tool.ts'
import { previewOf } from './ask.ts'
import { mayCall } from './authorize.ts'
import type { GateContext, GovernedPack } from './gate-context.ts'
import { payloadOf } from './governed-call.ts'
import { parse } from './parse.ts'
import { resume } from './resume.ts'
import { isStopped, type Stopped } from './stopped.ts'
import { toRecord } from './to-record.ts'

export interface DecisionRequest {
  approvalId: string
  decision: 'approve' | 'decline'
  /** Who decides: a person's own credential. */
  principal: Principal
  reason?: string
  /** The arguments as the person changed them; judged anew. */
  input?: unknown
}

export type DecisionOutcome =
  | { kind: 'decided'; approval: Approval; call: ToolCallRecord }
  /** Decided before, differently or by someone else: here is what stands. */
  | { kind: 'conflict'; approval: Approval; call: ToolCallRecord; message: string }
  | { kind: 'refused'; code: ErrorCode; message: string; details?: unknown }

/**
 * Takes a person's decision on a stored approval. The first decision stands; the same one again by the same person gets
 * the same answer. An approval is executed at once, and once, whoever else resumes it.
 */
export async function decideApproval(context: GateContext, request: DecisionRequest): Promise<DecisionOutcome> {
  const { principal, approvalId, decision } = request
  const missing: DecisionOutcome = { kind: 'refused', code: 'NOT_FOUND', message: context.say.approvalNotFound() }
  const approval = await context.store.approvals.get(principal.tenantId, approvalId)
  const call = approval && (await context.store.calls.get(principal.tenantId, approval.callId))
  if (approval === undefined || call === undefined) return missing
  const governed = context.packs.get(approval.pack)
  const tool = governed?.tools.get(approval.toolName)
  if (governed === undefined || tool === undefined) {
    return { kind: 'refused', code: 'UNAVAILABLE', message: context.say.toolGone({ tool: approval.toolName }) }
  }
  const rights = { may: mayCall(governed.pack, tool, principal), isOwner: governed.pack.roleOf(principal) === 'owner' }
  if (!mayDecide(approval, principal, rights))
    return { kind: 'refused', code: 'FORBIDDEN', message: governed.say.mayNotDecide() }

  const edited =
    decision === 'approve' && request.input !== undefined
      ? await editedPayload(context, governed, tool, call, request.input)
      : undefined
  if (edited && isStopped(edited)) {
    const { code, error, details } = edited.failure
    return { kind: 'refused', code, message: error, details }
  }

  const outcome = await context.store.approvals.decide(
    principal.tenantId,
    approvalId,
    { decision, by: principal, reason: request.reason, editedDigest: edited?.digest },
    context.limits.executeWithinMs,
    edited,
  )
  if (outcome.kind === 'missing') return missing
  if (outcome.kind === 'conflict') return conflict(context, governed, outcome.approval)
  const after = await followDecision(context, outcome.approval)
  return { kind: 'decided', ...after }
}

/** Carries out what an approval's decision says; harmless when it has been done before. */
export async function followDecision(
  context: GateContext,
  approval: Approval,
): Promise<{ approval: Approval; call: ToolCallRecord }> {
  const { tenantId, callId, approvalId } = approval
  const call = await context.store.calls.get(tenantId, callId)
  if (call === undefined) throw new Error(`the call of approval \`${approvalId}\` is missing`)
  const isReplaced = call.status === 'awaiting_approval' && call.approvalId !== approvalId
  const after = isReplaced
    ? call
    : approval.decision?.decision === 'decline' || approval.status === 'expired' || approval.status === 'declined'
      ? await endUndone(context, approval, call)
      : await resume(context, approval, call)
  const current = (await context.store.approvals.get(tenantId, approvalId)) ?? approval
  if (approval.runId) await context.store.runs.requestWake(tenantId, approval.runId)
  await context.store.signals.publish({ tenantId, topic: 'approval', id: approvalId })
  await context.store.signals.publish({ tenantId, topic: 'call', id: callId })
  // Asked anew, the call waits under another approval than this one.
  const isSame = after.approvalId === approvalId
  return { approval: current, call: isSame ? toRecord(after, current.status) : toRecord(after) }
}

/** A declined or expired call ends without having been executed; the model reads the person's reason. */
async function endUndone(context: GateContext, approval: Approval, call: StoredCall): Promise<StoredCall> {
  const { say } = context.packs.get(call.pack) ?? context.unknownPack
  const tool = context.packs.get(call.pack)?.tools.get(call.toolName)?.title ?? call.toolName
  const declined = approval.status !== 'expired'
  const reason = approval.decision?.reason
  const error = declined ? say.declined({ tool, reason }) : say.expired({ tool })
  const failure = {
    success: false as const,
    code: declined ? ('DECLINED' as const) : ('EXPIRED' as const),
    error,
    next: declined ? say.declinedNext() : say.expiredNext(),
  }
  const ended = await context.store.calls.endWaiting(call.tenantId, call.callId, {
    status: declined ? 'declined' : 'expired',
    code: failure.code,
    description: declined ? say.callDeclined({ tool }) : say.callExpired({ tool }),
    ...(call.payload ? { payload: { ...call.payload, result: failure } } : {}),
  })
  return ended ?? (await context.store.calls.get(call.tenantId, call.callId)) ?? call
}

/** Arguments that could not be carried out at all are told to the person at once, and leave the approval open. */
async function editedPayload(
  context: GateContext,
  governed: GovernedPack,
  tool: Tool,
  call: StoredCall,
  input: unknown,
): Promise<CallPayload | Stopped> {
  const parsed = parse(tool, input, governed.say)
  if (isStopped(parsed)) return parsed
  const asked = await previewOf(context, governed, tool, parsed.input, call.principal, call.scope)
  return isStopped(asked) ? asked : payloadOf(governed, tool, call.scope, parsed.input)
}

async function conflict(context: GateContext, governed: GovernedPack, approval: Approval): Promise<DecisionOutcome> {
  const { tenantId, callId } = approval
  if (approval.status === 'expired') await followDecision(context, approval)
  const call = await context.store.calls.get(tenantId, callId)
  if (call === undefined) return { kind: 'refused', code: 'NOT_FOUND', message: context.say.approvalNotFound() }
  const tool = governed.tools.get(approval.toolName)?.title ?? approval.toolName
  const message =
    approval.status === 'expired'
      ? governed.say.expired({ tool })
      : approval.decision === undefined
        ? governed.say.withdrawn({ tool })
        : governed.say.alreadyDecided({
            by: approval.decision.by.userId,
            decision: approval.decision.decision,
          })
  return { kind: 'conflict', approval, call: toRecord(call, approval.status), message }
}
