import type { Approval } from '../approval/approval.ts'
import type { Gate } from '../gate/gate.ts'
import { toRecord } from '../gate/to-record.ts'
import type { StoredCall } from '../ledger/call-record.ts'
import type { Channels } from './channels.ts'

/** What was decided after its run had gone on comes back into the thread as a message of its own, once. */
export async function noteLaterOutcome(
  gate: Gate<never>,
  channels: Channels,
  approval: Approval,
  call: StoredCall,
): Promise<void> {
  const { threadId, tenantId } = approval
  const governed = gate.packs.get(call.pack)
  if (threadId === undefined || governed === undefined) return
  const decision = approval.decision?.decision ?? 'expired'
  const text = governed.say.decidedLater({ decision, description: call.description })
  const messageId = `outcome-${call.callId}`
  const known = await gate.store.runs.messages(tenantId, threadId)
  if (known.some((message) => message.messageId === messageId)) return
  const record = toRecord(call, approval.status)
  const parts = [
    { type: 'text', text, state: 'done' },
    { type: 'data-call', id: call.callId, data: record },
  ]
  await gate.store.runs.saveMessage(tenantId, { messageId, threadId, role: 'assistant', parts, runId: undefined })
  const channel = channels.of(tenantId, threadId)
  if (channel.openMessageId !== undefined) return
  channel.open(messageId)
  channel.publish({ type: 'text-start', id: messageId })
  channel.publish({ type: 'text-delta', id: messageId, delta: text })
  channel.publish({ type: 'text-end', id: messageId })
  channel.publish({ type: 'data-call', id: call.callId, data: record })
  channel.close('stop')
}
