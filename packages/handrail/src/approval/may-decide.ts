import type { Principal } from '../principal/principal.ts'
import type { Approval } from './approval.ts'

/**
 * May this principal decide this approval? Never an agent or a program, nor a credential issued without the right to.
 * By default the requester, or an owner; a policy can ask for a role, or for anyone but the requester.
 *
 * @param may whether the decider's own role may call the tool
 * @param isOwner whether the decider's role in the pack is `owner`
 */
export function mayDecide(
  approval: Approval,
  decider: Principal,
  { may, isOwner }: { may: boolean; isOwner: boolean },
): boolean {
  if (decider.tenantId !== approval.tenantId || decider.actor !== 'person' || decider.mayApprove === false || !may)
    return false
  const isRequester = decider.userId === approval.requestedBy.userId
  switch (approval.approvers.rule) {
    case 'requester':
      return isRequester || isOwner
    case 'role': {
      const { roles } = approval.approvers
      return decider.roles.some((role) => roles.includes(role))
    }
    case 'four_eyes':
      return !isRequester
  }
}
