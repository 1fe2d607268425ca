import type { Principal, Scope } from '../principal/principal.ts'

export type ApprovalStatus = 'pending' | 'approved' | 'declined' | 'expired' | 'used' | 'withdrawn'

/** Who may decide: the requester or an owner (default), holders of a role, or someone other than the requester. */
export type Approvers = { rule: 'requester' } | { rule: 'role'; roles: readonly string[] } | { rule: 'four_eyes' }

/** A stored request for one exact call, and a person's decision on it. */
export interface Approval {
  approvalId: string
  tenantId: string
  callId: string
  runId: string | undefined
  threadId: string | undefined
  pack: string
  toolName: string
  toolVersion: number
  /** Of tool version, input and scope: what was judged is what runs. Erased with the call's payload. */
  digest: string
  scope: Scope
  requestedBy: Principal
  approvers: Approvers
  /** How it is asked: a card, or a sentence answered in the same conversation. */
  form: 'card' | 'conversation'
  /** Why it is asked, for a person. */
  reason: string
  description: string
  preview: unknown
  /** Digest of what the preview was based on; a changed basis asks again. */
  basis: string | undefined
  status: ApprovalStatus
  createdAt: Date
  decideBy: Date
  executeBy: Date | undefined
  decision: Decision | undefined
}

export interface Decision {
  decision: 'approve' | 'decline'
  by: Principal
  at: Date
  reason: string | undefined
  /** Digest of the input as edited by the person, when they changed it. */
  editedDigest: string | undefined
}
