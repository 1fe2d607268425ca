import type { Approval, ApprovalStatus, Decision } from '../approval/approval.ts'
import type { StoredCall } from '../ledger/call-record.ts'
import { newestFirst } from './memory-page.ts'
import type { MemoryState, TenantState } from './memory-state.ts'
import type { ApprovalStore, ClaimOutcome } from './store.ts'

type WhyNot = Extract<ClaimOutcome, { kind: 'not-approved' }>['why']

/** Approvals in memory. Each method is one synchronous section. */
export function memoryApprovalStore(state: MemoryState): ApprovalStore {
  return {
    async get(tenantId, approvalId) {
      return state.tenants.get(tenantId)?.approvals.get(approvalId)
    },

    async list(tenantId, filter) {
      const tenant = state.tenants.get(tenantId)
      if (tenant === undefined) return { items: [] }
      return newestFirst(
        tenant.approvalOrder,
        tenant.approvals,
        filter,
        (approval) =>
          (filter.status === undefined || approval.status === filter.status) &&
          (filter.threadId === undefined || approval.threadId === filter.threadId) &&
          (filter.runId === undefined || approval.runId === filter.runId),
      )
    },

    async decide(tenantId, approvalId, decision, executeWithinMs, edited) {
      const tenant = state.tenants.get(tenantId)
      const stored = tenant?.approvals.get(approvalId)
      if (tenant === undefined || stored === undefined) return { kind: 'missing' }
      const now = state.now()
      const approval = expireIfDue(tenant, stored, now)
      if (approval.status !== 'pending') {
        return { kind: isSameDecision(approval.decision, decision) ? 'same' : 'conflict', approval }
      }
      const approves = decision.decision === 'approve'
      const decided: Approval = {
        ...approval,
        status: approves ? 'approved' : 'declined',
        digest: edited?.digest ?? approval.digest,
        executeBy: approves ? new Date(now.getTime() + executeWithinMs) : undefined,
        decision: { ...decision, at: now },
      }
      tenant.approvals.set(approvalId, decided)
      let call = tenant.calls.get(approval.callId)
      if (call !== undefined && edited !== undefined) {
        call = { ...call, payload: edited }
        tenant.calls.set(call.callId, call)
      }
      if (call !== undefined) state.record(tenant, 'decided', call, now, decision.by)
      return { kind: 'decided', approval: decided }
    },

    async expireDue(limit) {
      const now = state.now()
      const expired: Approval[] = []
      for (const tenant of state.tenants.values()) {
        for (const approvalId of tenant.openApprovals) {
          if (expired.length >= limit) return expired
          const stored = tenant.approvals.get(approvalId)
          if (stored === undefined) continue
          const approval = expireIfDue(tenant, stored, now)
          if (approval.status !== 'expired') continue
          expired.push(approval)
        }
      }
      return expired
    },

    async undone(limit) {
      const found: Approval[] = []
      for (const tenant of state.tenants.values()) {
        for (const approvalId of tenant.openApprovals) {
          if (found.length >= limit) return found
          const approval = tenant.approvals.get(approvalId)
          if (approval?.status === 'approved' || approval?.status === 'declined') found.push(approval)
        }
      }
      return found
    },

    async withdraw(tenantId, approvalId) {
      const tenant = state.tenants.get(tenantId)
      if (tenant !== undefined) closeWith(tenant, approvalId, 'withdrawn')
    },
  }
}

/** Ends what is still open of an approval, when its call ends or is asked anew; a decision that ended it stands. */
export function closeWith(tenant: TenantState, approvalId: string | undefined, status: ApprovalStatus): void {
  const approval = approvalId === undefined ? undefined : tenant.approvals.get(approvalId)
  if (approval === undefined) return
  tenant.openApprovals.delete(approval.approvalId)
  if (approval.status === 'pending' || approval.status === 'approved') {
    tenant.approvals.set(approval.approvalId, { ...approval, status })
  }
}

/** Why this approval is not good for this call, or the way to use it up. Expires it when its time is over. */
export function consumeApproval(
  tenant: TenantState,
  call: StoredCall | undefined,
  asked: { approvalId: string; digest: string } | undefined,
  now: Date,
): WhyNot | { call: StoredCall; use: () => void } {
  const stored = asked && tenant.approvals.get(asked.approvalId)
  if (asked === undefined || call === undefined || stored === undefined || stored.callId !== call.callId)
    return 'missing'
  const approval = expireIfDue(tenant, stored, now)
  if (approval.status !== 'approved') return approval.status
  if (call.status !== 'awaiting_approval') return 'used'
  if (approval.digest !== asked.digest || call.payload?.digest !== asked.digest) return 'changed'
  return {
    call,
    use() {
      tenant.approvals.set(approval.approvalId, { ...approval, status: 'used' })
      tenant.openApprovals.delete(approval.approvalId)
    },
  }
}

function expireIfDue(tenant: TenantState, approval: Approval, now: Date): Approval {
  const isDue =
    approval.status === 'pending'
      ? approval.decideBy < now
      : approval.status === 'approved' && approval.executeBy !== undefined && approval.executeBy < now
  if (!isDue) return approval
  const expired: Approval = { ...approval, status: 'expired' }
  tenant.approvals.set(approval.approvalId, expired)
  return expired
}

/** The same answer by the same person to the same input; a retry may word its reason differently. */
function isSameDecision(first: Decision | undefined, again: Omit<Decision, 'at'>): boolean {
  return (
    first !== undefined &&
    first.decision === again.decision &&
    first.by.userId === again.by.userId &&
    first.editedDigest === again.editedDigest
  )
}
