import { type Approval, mayDecide, type Principal, type StoredCall } from 'handrail'
import type { ServerContext } from '../context.ts'

/** Whether a person may see an approval, and whether they may decide it. */
export function rightsOn({ gate }: Pick<ServerContext, 'gate'>, principal: Principal, approval: Approval) {
  const pack = gate.packs.get(approval.pack)?.pack
  const may = gate.toolsFor(principal, approval.pack).some(({ tool }) => tool.name === approval.toolName)
  const isOwner = pack?.roleOf(principal) === 'owner'
  const decides = mayDecide(approval, principal, { may, isOwner })
  return { mayDecide: decides, maySee: decides || approval.requestedBy.userId === principal.userId }
}

/** An approval as people see it: everything that would run, and nothing that binds it inside. */
export function approvalViewOf(approval: Approval, call: StoredCall | undefined, mayDecideNow: boolean) {
  const { approvalId, callId, runId, threadId, pack, toolName, description, reason, preview, scope, form } = approval
  const { status, approvers, requestedBy, createdAt, decideBy, executeBy, decision } = approval
  return {
    approvalId,
    callId,
    runId,
    threadId,
    pack,
    toolName,
    description,
    reason,
    input: call?.payload?.input ?? null,
    preview,
    scope,
    form,
    status,
    approvers,
    requestedBy: { userId: requestedBy.userId, actor: requestedBy.actor, door: requestedBy.via.door },
    mayDecide: mayDecideNow && status === 'pending',
    createdAt: createdAt.toISOString(),
    decideBy: decideBy.toISOString(),
    executeBy: executeBy?.toISOString(),
    ...(decision && {
      decision: {
        decision: decision.decision,
        by: decision.by.userId,
        at: decision.at.toISOString(),
        reason: decision.reason,
        edited: decision.editedDigest !== undefined,
      },
    }),
  }
}
