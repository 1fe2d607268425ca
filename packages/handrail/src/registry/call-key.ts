import { createHash } from 'node:crypto'
import type { ModelMessage } from 'ai'

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
  const parts = [...conversation, toolCallId, String(occurrence(toolCallId, messages)), name, canonicalJson(input)]
  return `ai-sdk:${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`
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

/** The approval responses that the newest message brings, each with the call it answers. */
export function approvalAnswers(
  messages: readonly ModelMessage[],
): { toolCallId: string; approved: boolean; reason: string | undefined; isAutomatic: boolean }[] {
  const newest = messages.at(-1)
  if (newest?.role !== 'tool') return []
  const requests = messages.flatMap(assistantParts).filter((part) => part.type === 'tool-approval-request')
  return newest.content.flatMap((part) => {
    if (part.type !== 'tool-approval-response') return []
    const request = requests.find(({ approvalId }) => approvalId === part.approvalId)
    if (request === undefined) return []
    const { toolCallId, isAutomatic = false } = request
    return [{ toolCallId, approved: part.approved, reason: part.reason, isAutomatic }]
  })
}

export function assistantParts(message: ModelMessage) {
  return message.role === 'assistant' && typeof message.content !== 'string' ? message.content : []
}

/** Key order is lost where a conversation is stored as `jsonb`. */
function canonicalJson(value: unknown): string {
  try {
    return JSON.stringify(value, (_, part: unknown) => {
      if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
      return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
    })
  } catch {
    // Too deep for JSON: the gate refuses such an input whatever its key is.
    return 'not json'
  }
}
