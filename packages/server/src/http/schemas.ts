import { z } from '@hono/zod-openapi'
import { isCleanText } from './read-json-body.ts'

const longestId = 200
const largestPage = 200

/** An id as a client may give it: any text; what is not known is not found. */
export const idText = z.string().min(1).max(longestId).refine(isCleanText, 'must be a text without NUL')
export const packName = z.string().min(1).max(64)
export const scope = z
  .record(z.string().min(1).max(64), z.string().min(1).max(longestId))
  .refine((value) => Object.keys(value).length <= 20, 'at most 20 entries')
  .openapi({ description: 'What it is about, as the pack has it', example: { projectId: '0198…' } })
export const principalView = z
  .object({
    tenantId: z.string(),
    userId: z.string(),
    roles: z.array(z.string()),
    actor: z.enum(['person', 'agent', 'service']),
    via: z.object({ door: z.string(), credentialId: z.string() }),
    mayApprove: z.boolean().optional(),
  })
  .openapi('Principal')

export const idParams = z.strictObject({ id: idText.openapi({ param: { in: 'path', name: 'id' } }) })

/** A cursor of ours is the number or the id of the last row shown. */
const cursor = z
  .string()
  .regex(/^(\d{1,15}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/, 'must be a cursor that a list gave')
  .optional()
  .openapi({ description: '`nextCursor` of the page before' })
const limit = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, `must be a number from 1 to ${largestPage}`)
  .transform(Number)
  .refine((value) => value <= largestPage, `must be at most ${largestPage}`)
  .optional()
  .openapi({ type: 'integer', minimum: 1, maximum: largestPage, description: 'Default 50' })

export const pageQuery = { cursor, limit }

/** A moment, as RFC 3339 has it, or a day. Nothing here is older than 1970. */
export const moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .refine((text) => text >= '1970', 'must be in 1970 or later')
  .transform((text) => new Date(text))

export const callStatus = z.enum([
  'running',
  'awaiting_approval',
  'done',
  'failed',
  'refused',
  'declined',
  'expired',
  'cancelled',
  'unknown',
])
export const approvalStatus = z.enum(['pending', 'approved', 'declined', 'expired', 'used', 'withdrawn'])
export const runStatus = z.enum(['running', 'waiting', 'done', 'failed', 'cancelled'])
export const toolKind = z.enum(['read', 'create', 'update', 'delete', 'action'])
export const risk = z.enum(['low', 'medium', 'high'])

export const errorBody = z
  .object({ error: z.object({ code: z.string(), message: z.string(), details: z.unknown().optional() }) })
  .openapi('Error')

const source = z.object({
  table: z.string().optional(),
  id: z.string().optional(),
  query: z.string().optional(),
  chunkIds: z.array(z.string()).optional(),
  url: z.string().optional(),
})

export const toolResult = z
  .union([
    z.object({ success: z.literal(true), data: z.unknown(), message: z.string(), sources: z.array(source).optional() }),
    z.object({
      success: z.literal(false),
      error: z.string(),
      code: z.string(),
      next: z.string().optional(),
      details: z.unknown().optional(),
      sources: z.array(source).optional(),
    }),
    z.object({
      success: z.literal(false),
      requiresConfirmation: z.literal(true),
      approvalId: z.string(),
      message: z.string(),
      preview: z.unknown().optional(),
    }),
  ])
  .openapi('ToolResult')

export const callRecord = z
  .object({
    callId: z.string(),
    pack: z.string(),
    toolName: z.string(),
    kind: toolKind,
    risk,
    status: callStatus,
    description: z.string(),
    apiCall: z.object({ service: z.string(), payload: z.unknown(), kind: toolKind }),
    result: toolResult.optional(),
    executedAt: z.string().optional(),
    durationMs: z.number().optional(),
    cached: z.boolean().optional(),
    truncated: z.boolean().optional(),
    approval: z.object({ approvalId: z.string(), status: z.string() }).optional(),
    principal: principalView,
    scope: z.record(z.string(), z.string()),
    door: z.string(),
    runId: z.string().optional(),
    step: z.number().optional(),
  })
  .openapi('ToolCallRecord')

export const approvalView = z
  .object({
    approvalId: z.string(),
    callId: z.string(),
    runId: z.string().optional(),
    threadId: z.string().optional(),
    pack: z.string(),
    toolName: z.string(),
    description: z.string(),
    reason: z.string(),
    input: z.unknown().openapi({ description: 'The full arguments that an approval lets run' }),
    preview: z.unknown().optional(),
    scope: z.record(z.string(), z.string()),
    form: z.enum(['card', 'conversation']),
    status: approvalStatus,
    approvers: z.union([
      z.object({ rule: z.literal('requester') }),
      z.object({ rule: z.literal('role'), roles: z.array(z.string()) }),
      z.object({ rule: z.literal('four_eyes') }),
    ]),
    requestedBy: z.object({ userId: z.string(), actor: z.string(), door: z.string() }),
    mayDecide: z.boolean().openapi({ description: 'May whoever asks for this view decide it?' }),
    createdAt: z.string(),
    decideBy: z.string(),
    executeBy: z.string().optional(),
    decision: z
      .object({
        decision: z.enum(['approve', 'decline']),
        by: z.string(),
        at: z.string(),
        reason: z.string().optional(),
        edited: z.boolean(),
      })
      .optional(),
  })
  .openapi('Approval')

export const threadView = z
  .object({
    threadId: z.string(),
    pack: z.string(),
    scope: z.record(z.string(), z.string()),
    title: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .openapi('Thread')

export const runView = z
  .object({
    runId: z.string(),
    threadId: z.string(),
    userId: z.string(),
    pack: z.string(),
    scope: z.record(z.string(), z.string()),
    mode: z.enum(['inline', 'background']),
    status: runStatus,
    step: z.number(),
    activeMs: z.number(),
    usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }),
    cancelRequested: z.boolean(),
    finishReason: z.string().optional(),
    error: z.string().optional(),
    createdAt: z.string(),
    endedAt: z.string().optional(),
  })
  .openapi('Run')

/** `application/json` of a schema, as a response of a route. */
export function jsonOf(schema: z.ZodType, description: string) {
  return { description, content: { 'application/json': { schema } } }
}

export function pageOf(item: z.ZodType, description: string) {
  return jsonOf(z.object({ items: z.array(item), nextCursor: z.string().optional() }), description)
}
