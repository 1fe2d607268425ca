import { z } from '@hono/zod-openapi'
import { newId, type Pack, type Principal, type Scope, type Thread } from 'handrail'
import type { ServerContext } from '../context.ts'
import { HttpError } from './http-error.ts'
import type { Router } from './router.ts'
import { runViewOf } from './run-view.ts'
import { idParams, jsonOf, packName, pageOf, pageQuery, runView, scope, threadView } from './schemas.ts'

const newThread = z.strictObject({ pack: packName, scope: scope.optional(), title: z.string().max(200).optional() })
const wholeThread = z.object({
  thread: threadView,
  messages: z
    .array(z.unknown())
    .openapi({ description: 'UI messages of the AI SDK, without the one being written now' }),
  liveRun: runView.optional(),
})

/** A person's own conversations. */
export function threadRoutes(router: Router, context: ServerContext): void {
  const { engine, gate } = context

  router.route(
    {
      method: 'post',
      path: '/api/threads',
      tag: 'Threads',
      summary: 'Begin a conversation',
      body: newThread,
      responses: { 201: jsonOf(threadView, 'The conversation') },
      errors: [404],
    },
    async ({ principal, body }) => {
      const pack = packFor(context, principal, body.pack)
      const about = scopeFor(context, principal, pack, body.scope)
      const thread = await engine.createThread({
        principal,
        pack: pack.name,
        scope: about,
        threadId: newId(),
        ...(body.title !== undefined && { title: body.title }),
      })
      return Response.json(threadViewOf(thread), {
        status: 201,
        headers: { location: `/api/threads/${thread.threadId}` },
      })
    },
  )

  router.route(
    {
      method: 'get',
      path: '/api/threads',
      tag: 'Threads',
      summary: "This person's conversations, newest first",
      query: z.strictObject(pageQuery),
      responses: { 200: pageOf(threadView, 'Conversations') },
    },
    async ({ principal, query }) => {
      const page = await gate.store.runs.listThreads(principal.tenantId, { userId: principal.userId, ...given(query) })
      return Response.json({ ...page, items: page.items.map(threadViewOf) })
    },
  )

  router.route(
    {
      method: 'get',
      path: '/api/threads/{id}',
      tag: 'Threads',
      summary: 'A conversation with its messages',
      params: idParams,
      responses: { 200: jsonOf(wholeThread, 'The conversation') },
      errors: [404],
    },
    async ({ principal, params }) => {
      const found = await engine.thread({ principal, threadId: params.id })
      if (found === undefined) throw new HttpError('NOT_FOUND', gate.say.threadNotFound())
      const { thread, messages, liveRun } = found
      return Response.json({
        thread: threadViewOf(thread),
        messages,
        ...(liveRun && { liveRun: runViewOf(liveRun, principal) }),
      })
    },
  )
}

/** @throws {HttpError} `NOT_FOUND` for a pack that is not there, or in which this person has no role. */
export function packFor({ gate }: ServerContext, principal: Principal, name: string): Pack {
  const pack = gate.packs.get(name)?.pack
  if (pack?.roleOf(principal) === undefined) throw new HttpError('NOT_FOUND', 'There is no such pack here.')
  return pack
}

/**
 * What the conversation is about: what the person chose, or in dev mode the pack's demo.
 *
 * @throws {HttpError} `VALIDATION`
 */
export function scopeFor(
  { demoScope, gate }: ServerContext,
  principal: Principal,
  pack: Pack,
  chosen: Scope | undefined,
): Scope {
  const parsed = pack.scopeSchema.safeParse(chosen ?? demoScope(principal.tenantId, pack.name) ?? {})
  if (!parsed.success) throw new HttpError('VALIDATION', gate.say.badScope({ pack: pack.title }))
  return parsed.data
}

export function threadViewOf({ threadId, pack, scope, title, createdAt, updatedAt }: Thread) {
  return { threadId, pack, scope, title, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}

/** Leaves out what was not given. */
export function given<T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Key in keyof T]?: Exclude<T[Key], undefined> } // the same keys, fewer of them
}
