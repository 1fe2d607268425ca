import type { Approval, ApprovalStatus, ClaimOutcome, StoredCall } from 'handrail'
import { type ApprovalRow, toApproval } from './approval-row.ts'
import { type CallRow, selectCall, toCall } from './call-row.ts'
import type { StoreSession } from './store-transactions.ts'

type WhyNot = Extract<ClaimOutcome, { kind: 'not-approved' }>['why']

/**
 * Locks an approval and gives it as it stands under the lock; one past its time has become `expired`.
 * Approvals are always locked before their calls.
 */
export async function lockApproval(
  session: StoreSession,
  tenantId: string,
  approvalId: string,
): Promise<Approval | undefined> {
  const locked = await session.query<ApprovalRow>({
    text: 'select * from handrail.approvals where tenant_id = $1 and approval_id = $2 for update',
    values: [tenantId, approvalId],
  })
  if (locked.rows.length === 0) return undefined
  const expired = await session.query<ApprovalRow>({
    text: `
      update handrail.approvals set status = 'expired' where tenant_id = $1 and approval_id = $2
        and (status = 'pending' and decide_by < clock_timestamp() or status = 'approved' and execute_by < clock_timestamp())
      returning *`,
    values: [tenantId, approvalId],
  })
  const row = expired.rows[0] ?? locked.rows[0]
  return row && toApproval(row)
}

/** Uses an approval up for this very call, or says why it is not good for it. Leaves the call locked. */
export async function consumeApproval(
  session: StoreSession,
  tenantId: string,
  callId: string,
  asked: { approvalId: string; digest: string } | undefined,
): Promise<{ kind: 'used'; call: StoredCall } | { kind: 'refused'; why: WhyNot; call: StoredCall | undefined }> {
  const approval = asked && (await lockApproval(session, tenantId, asked.approvalId))
  await session.query({
    text: 'select from handrail.calls where tenant_id = $1 and call_id = $2 for update',
    values: [tenantId, callId],
  })
  const { rows } = await session.query<CallRow>({
    text: `${selectCall} where c.tenant_id = $1 and c.call_id = $2`,
    values: [tenantId, callId],
  })
  const call = rows[0] && toCall(rows[0])
  const refused = (why: WhyNot) => ({ kind: 'refused' as const, why, call })
  if (asked === undefined || call === undefined || approval === undefined || approval.callId !== callId)
    return refused('missing')
  if (approval.status !== 'approved') return refused(approval.status)
  if (call.status !== 'awaiting_approval') return refused('used')
  if (approval.digest !== asked.digest || call.payload?.digest !== asked.digest) return refused('changed')
  await session.query({
    text: `update handrail.approvals set status = 'used', open = false where tenant_id = $1 and approval_id = $2`,
    values: [tenantId, approval.approvalId],
  })
  return { kind: 'used', call }
}

/** Ends what is still open of an approval, when its call ends or is asked anew; a decision that ended it stands. */
export async function closeApproval(
  session: StoreSession,
  tenantId: string,
  approvalId: string | undefined,
  status: ApprovalStatus,
): Promise<void> {
  if (approvalId === undefined) return
  await session.query({
    text: `
      update handrail.approvals set open = false, status = case when status in ('pending', 'approved') then $3 else status end
      where tenant_id = $1 and approval_id = $2`,
    values: [tenantId, approvalId, status],
  })
}
