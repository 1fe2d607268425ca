import type { DecisionOutcome, RunChunk } from 'handrail'
import type { ApprovalResponse } from './chat-request.ts'

/**
 * The stream for a client that goes on with one assistant message after its approvals were answered: what the run says
 * of that message; or, where nothing goes on, what became of the calls. Other messages of the thread are left out: a
 * client adds whatever comes to the message it has.
 *
 * @param messageId the assistant message as the client posted it
 */
export function answerToResponses(
  answer: ReadableStream<RunChunk>,
  messageId: string | undefined,
  responses: readonly ApprovalResponse[],
  outcomes: readonly DecisionOutcome[],
): ReadableStream<RunChunk> {
  let isTheirs = true
  let isBegun = false
  let isFinished = false
  return answer.pipeThrough(
    new TransformStream<RunChunk, RunChunk>({
      transform(chunk, controller) {
        if (chunk.type === 'start') isTheirs = messageId === undefined || chunk.messageId === messageId
        if (!isTheirs) return
        isBegun = true
        isFinished = chunk.type === 'finish'
        controller.enqueue(chunk)
      },
      flush(controller) {
        if (!isBegun) {
          controller.enqueue(messageId === undefined ? { type: 'start' } : { type: 'start', messageId })
          for (const chunk of outcomeChunks(responses, outcomes)) controller.enqueue(chunk)
        }
        if (!isFinished) controller.enqueue({ type: 'finish' })
      },
    }),
  )
}

function outcomeChunks(responses: readonly ApprovalResponse[], outcomes: readonly DecisionOutcome[]): RunChunk[] {
  return outcomes.flatMap((outcome, index): RunChunk[] => {
    const { toolCallId } = responses[index] ?? {}
    // Another call's outcome than the one the client shows would break its message.
    if (outcome.kind === 'refused' || toolCallId !== outcome.call.callId) return []
    const { call, approval } = outcome
    const record: RunChunk = { type: 'data-call', id: call.callId, data: call }
    const { approvalId, decision } = approval
    const answered: RunChunk = {
      type: 'tool-approval-response',
      approvalId,
      approved: decision?.decision === 'approve',
    }
    if (call.status === 'declined') return [record, answered, { type: 'tool-output-denied', toolCallId }]
    if (call.result === undefined || call.status === 'awaiting_approval') return [record]
    return [record, answered, { type: 'tool-output-available', toolCallId, output: call.result }]
  })
}
