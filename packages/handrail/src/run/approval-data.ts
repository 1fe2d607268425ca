import type { Approval } from '../approval/approval.ts'
import type { RunData } from './run-channel.ts'

/** What a card shows of an approval. The arguments are in the tool's own part. */
export function approvalData(approval: Approval): RunData['approval'] {
  const { approvalId, callId, reason, description, preview, decideBy, status } = approval
  return {
    approvalId,
    callId,
    reason,
    description,
    ...(preview === undefined ? {} : { preview }),
    decideBy: decideBy.toISOString(),
    status,
  }
}
