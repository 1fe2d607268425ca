import { hash } from 'node:crypto'
import type { ModelMessage, ToolModelMessage } from 'ai'
import { canonicalJson } from '../ledger/digest.ts'

/**
 * The idempotency key of one tool call in a foreign loop. The same call has the same key when it is judged, when it is
 * executed, and when the conversation comes back with a person's approval; another call has another.
 *
 * The loop's call id alone is not enough: some providers begin at `call_0` in every conversation, or repeat an id
 * within one. So the key also takes in the conversation (its id, or else the first thing the person said), how often
 * the id came before, and the input. An input that was changed afterwards is therefore another call, and is judged anew.
 */
export function callKey(call: {
  conversationId: string | undefined
  messages: readonly ModelMessage[]
  toolCallId: string
  name: string
  input: unknown
}): string {
  const { conversationId, messages, toolCallId, name, input } = call
  const conversation = conversationId === undefined ? ['opening', firstUserText(messages)] : ['id', conversationId]
  const parts = [...conversation, toolCallId, String(occurrence(toolCallId, messages)), name, jsonOf(input)]
  return `ai-sdk:${hash('sha256', JSON.stringify(parts), 'base64url')}`
}

function firstUserText(messages: readonly ModelMessage[]): string {
  const first = messages.find((message) => message.role === 'user')
  if (first === undefined) return ''
  // A text and a list of text parts are the same message before and after a client kept it.
  if (typeof first.content === 'string') return first.content
  return first.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** How many earlier calls in the messages have this id. */
function occurrence(toolCallId: string, messages: readonly ModelMessage[]): number {
  const calls = messages
    .flatMap(assistantParts)
    .filter((part) => part.type === 'tool-call' && part.toolCallId === toolCallId)
  // While a step runs, its calls are not in the messages yet; when an approval comes back, the call itself is.
  return isAnswered(toolCallId, messages) ? calls.length - 1 : calls.length
}

function isAnswered(toolCallId: string, messages: readonly ModelMessage[]): boolean {
  return approvalAnswers(messages).some((answer) => answer.toolCallId === toolCallId)
}

/** The approval responses of a person that the newest message brings, each with the call that waits for it. */
export function approvalAnswers(
  messages: readonly ModelMessage[],
): { toolCallId: string; approved: boolean; reason: string | undefined }[] {
  const newest = messages.at(-1)
  if (newest?.role !== 'tool') return []
  const requests = messages.flatMap(assistantParts).filter((part) => part.type === 'tool-approval-request')
  return newest.content.flatMap((part) => {
    if (part.type !== 'tool-approval-response') return []
    const request = requests.find(({ approvalId }) => approvalId === part.approvalId)
    // The loop answers for itself where nobody had to be asked, and keeps answers beside the results they led to.
    if (request === undefined || request.isAutomatic || hasResult(newest, request.toolCallId)) return []
    return [{ toolCallId: request.toolCallId, approved: part.approved, reason: part.reason }]
  })
}

function hasResult(message: ToolModelMessage, toolCallId: string): boolean {
  return message.content.some((part) => part.type === 'tool-result' && part.toolCallId === toolCallId)
}

export function assistantParts(message: ModelMessage) {
  return message.role === 'assistant' && typeof message.content !== 'string' ? message.content : []
}

function jsonOf(input: unknown): string {
  try {
    // Canonical, because a conversation that is stored as `jsonb` loses the order of its keys.
    return canonicalJson(input)
  } catch {
    // Too deep to read: the gate refuses such an input whatever its key is.
    return 'too deep'
  }
}
