import { z } from '@hono/zod-openapi'
import { HttpError } from './http-error.ts'
import { isCleanText } from './read-json-body.ts'
import { idText, packName, scope } from './schemas.ts'

const longestText = 64_000
const mostMessages = 10_000
const longestReason = 2_000

const message = z.looseObject({
  id: z.string().max(200).optional(),
  role: z.enum(['system', 'user', 'assistant']),
  parts: z.array(z.looseObject({ type: z.string() })),
})

/** What `useChat` posts, and how this conversation is begun. */
export const chatBody = z
  .strictObject({
    id: idText.openapi({ description: 'The conversation; one that is not known yet begins here' }),
    messages: z.array(message).min(1).max(mostMessages).openapi({
      description:
        'Only the newest is taken: a user message, or an assistant message with answered approvals. The rest is read from our own record.',
    }),
    trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
    messageId: z.string().max(200).nullish(),
    pack: packName.optional(),
    scope: scope.optional(),
    mode: z.enum(['inline', 'background']).optional(),
  })
  .openapi('ChatRequest')

/** History is not used, so that whatever a tool once said cannot make a conversation unusable. */
export function takenOfChat(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('messages' in body) || !Array.isArray(body.messages)) return body
  const newest: unknown = body.messages.at(-1)
  const isUser = typeof newest === 'object' && newest !== null && 'role' in newest && newest.role === 'user'
  return { ...body, messages: isUser ? [newest] : [] }
}

export interface ApprovalResponse {
  approvalId: string
  /** The call it belongs to, as the client has it. */
  toolCallId: string
  decision: 'approve' | 'decline'
  reason?: string
}

/** What a person says with a post: something, or yes and no to what waits. */
export type ChatTurn =
  | { kind: 'message'; messageId: string | undefined; parts: { type: 'text'; text: string }[] }
  /** `steps`: how many of the answered message the client shows. */
  | { kind: 'responses'; messageId: string | undefined; steps: number; responses: ApprovalResponse[] }

/**
 * Takes from a post what the person says now. History that a client sends is never evidence.
 *
 * @throws {HttpError} `VALIDATION` for files, empty and overlong texts, and where nothing new is said; `CONFLICT` for
 *   an answer that is to be written again
 */
export function chatTurn({ messages, trigger, messageId }: z.output<typeof chatBody>): ChatTurn {
  if (trigger === 'regenerate-message') {
    throw new HttpError(
      'CONFLICT',
      'An answer cannot be written again: what its tools did is on record. Send a new message.',
    )
  }
  // A client that comes back to an earlier card says which message it belongs to.
  const named = messages.find(({ id, role }) => messageId && id === messageId && role === 'assistant')
  const newest = (named && responsesIn(named).length > 0 ? named : undefined) ?? messages.at(-1)
  if (newest?.role === 'user') return { kind: 'message', messageId: newest.id, parts: textParts(newest) }
  const responses = newest?.role === 'assistant' ? responsesIn(newest) : []
  if (responses.length === 0) {
    throw new HttpError('VALIDATION', 'The last message must be a user message, or hold an answered approval.')
  }
  const steps = (newest?.parts ?? []).filter(({ type }) => type === 'step-start').length
  return { kind: 'responses', messageId: newest?.id, steps, responses }
}

type PostedMessage = z.output<typeof message>

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() })

function textParts({ parts }: PostedMessage): { type: 'text'; text: string }[] {
  const texts = parts.map((part) => {
    const parsed = textPart.safeParse(part)
    if (parsed.success) return { type: 'text' as const, text: parsed.data.text }
    if (part.type === 'file') throw new HttpError('VALIDATION', 'Files are not taken. Send their text.')
    throw new HttpError('VALIDATION', 'A user message consists of text parts.')
  })
  const length = texts.reduce((sum, { text }) => sum + text.length, 0)
  if (length > longestText) throw new HttpError('VALIDATION', `A message has at most ${longestText} characters.`)
  if (texts.every(({ text }) => text.trim() === '')) throw new HttpError('VALIDATION', 'The message is empty.')
  return texts
}

const respondedPart = z.looseObject({
  type: z.string().regex(/^(tool-.+|dynamic-tool)$/s),
  toolCallId: z.string().max(200),
  state: z.literal('approval-responded'),
  approval: z.looseObject({
    id: idText,
    approved: z.boolean(),
    reason: z.string().max(longestReason).refine(isCleanText).nullish(),
  }),
})

function responsesIn({ parts }: PostedMessage): ApprovalResponse[] {
  return parts.flatMap((part) => {
    const parsed = respondedPart.safeParse(part)
    if (!parsed.success) return []
    const { toolCallId, approval } = parsed.data
    const { id: approvalId, approved, reason } = approval
    return [{ approvalId, toolCallId, decision: approved ? 'approve' : 'decline', ...(reason && { reason }) }]
  })
}
