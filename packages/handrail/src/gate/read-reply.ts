import { readConfirmation } from '../approval/read-confirmation.ts'
import type { ToolCallRecord } from '../ledger/call-record.ts'
import type { Principal } from '../principal/principal.ts'
import { decideApproval } from './decide-approval.ts'
import type { GateContext } from './gate-context.ts'

export type Reply = { kind: 'none' } | { kind: 'approved' | 'declined'; call: ToolCallRecord }

/**
 * Reads the requester's own next message as an answer to what was asked in their conversation. A whole-message yes from
 * the closed list arms exactly that one call; a no declines it; anything else leaves it pending and decides nothing.
 * With several questions open nothing is read: then only the card decides.
 */
export async function readReply(
  context: GateContext,
  { threadId, text, principal }: { threadId: string; text: string; principal: Principal },
): Promise<Reply> {
  const { items } = await context.store.approvals.list(principal.tenantId, { threadId, status: 'pending', limit: 2 })
  const [open, another] = items
  if (open === undefined || another !== undefined || open.form !== 'conversation') return { kind: 'none' }
  if (open.requestedBy.userId !== principal.userId || principal.actor !== 'person') return { kind: 'none' }
  const language = context.packs.get(open.pack)?.pack.language ?? 'en'
  const answer = readConfirmation(text, language)
  if (answer === 'other') return { kind: 'none' }
  const outcome = await decideApproval(context, {
    approvalId: open.approvalId,
    decision: answer === 'yes' ? 'approve' : 'decline',
    principal,
  })
  if (outcome.kind !== 'decided') return { kind: 'none' }
  return { kind: answer === 'yes' ? 'approved' : 'declined', call: outcome.call }
}
