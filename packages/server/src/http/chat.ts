import { isDeepStrictEqual } from 'node:util'
import { z } from '@hono/zod-openapi'
import { createUIMessageStreamResponse } from 'ai'
import { type Approval, newId, type Principal, type RunChunk, type Thread } from 'handrail'
import type { ServerContext } from '../context.ts'
import { retryAfter } from './call-response.ts'
import { type ChatTurn, chatBody, chatTurn, takenOfChat } from './chat-request.ts'
import { HttpError } from './http-error.ts'
import type { Router } from './router.ts'
import { runViewOf } from './run-view.ts'
import { idParams, jsonOf, runView } from './schemas.ts'
import { packFor, scopeFor } from './threads.ts'
import { wholeAnswer } from './whole-answer.ts'

/** `useChat` posts the whole conversation each time. */
const historyBytes = 4 * 1024 * 1024
const keepAliveMs = 15_000
const uiMessageStream = {
  description: "The AI SDK's UI message stream (`x-vercel-ai-ui-message-stream: v1`)",
  content: { 'text/event-stream': { schema: z.string() } },
}

/** Talking to an agent, as `useChat` with its default transport does it. */
export function chatRoutes(router: Router, context: ServerContext): void {
  const { engine, gate } = context

  router.route(
    {
      method: 'post',
      path: '/api/chat',
      tag: 'Chat',
      summary: 'Say something, or answer approvals',
      description:
        "The newest message is taken, the history is not. The run goes on whether or not the stream is read; `GET /api/chat/{id}/stream` takes it up again. Where `pack` and `scope` are left out, a new conversation is about the only pack's demo, or its whole workspace.",
      body: chatBody,
      bodyBytes: historyBytes,
      taken: takenOfChat,
      responses: { 200: uiMessageStream },
      errors: [403, 404, 409, 413, 429],
    },
    async ({ principal: person, body }) => {
      const principal = atTheChat(person)
      const turn = chatTurn(body)
      if (turn.kind === 'responses') return respond(context, principal, body.id, turn)
      const title = turn.parts.map(({ text }) => text).join(' ')
      const thread = await threadFor(context, principal, body, title)
      return say(context, principal, thread, turn, body.mode)
    },
  )

  router.route(
    {
      method: 'get',
      path: '/api/chat/{id}/stream',
      tag: 'Chat',
      summary: 'Take up the stream of a conversation again',
      description: 'From the beginning of the message that is being written, or was written in the last ten minutes.',
      params: idParams,
      responses: { 200: uiMessageStream, 204: { description: 'Nothing is there to take up' } },
    },
    async ({ principal, params }) => {
      // A conversation that is not there yet is no fault: a client asks for its stream before its first message.
      const stream = await resumed(context, principal, params.id)
      return stream ? streamOf(stream) : new Response(null, { status: 204 })
    },
  )

  router.route(
    {
      method: 'post',
      path: '/api/chat/{id}/stop',
      tag: 'Chat',
      summary: "Stop a conversation's run",
      description:
        'What was done stays done. What a client sends of the message it shows is not needed: it is on record.',
      params: idParams,
      body: z.strictObject({ assistantMessage: z.unknown().optional(), activeStreamId: z.unknown().optional() }),
      bodyIsOptional: true,
      bodyBytes: historyBytes,
      taken: () => undefined,
      responses: { 200: jsonOf(z.object({ run: runView.optional() }), 'The run that was stopped, if there was one') },
      errors: [404],
    },
    async ({ principal, params }) => {
      const found = await engine.thread({ principal, threadId: params.id })
      if (found === undefined) throw new HttpError('NOT_FOUND', gate.say.threadNotFound())
      const { liveRun } = found
      const run = liveRun && (await engine.cancel({ principal, runId: liveRun.runId }))
      return Response.json(run ? { run: runViewOf(run, principal) } : {})
    },
  )
}

function streamOf(stream: ReadableStream<RunChunk>): Response {
  return createUIMessageStreamResponse({ stream, keepAliveMs })
}

function atTheChat(principal: Principal): Principal {
  return { ...principal, via: { ...principal.via, door: 'chat' } }
}

/** This person's conversation of that id, begun where there is none. One of somebody else is not there. */
async function threadFor(
  context: ServerContext,
  principal: Principal,
  { id: threadId, pack: packName, scope }: z.output<typeof chatBody>,
  title: string,
): Promise<Thread> {
  const { gate, engine } = context
  const find = () => gate.store.runs.getThread(principal.tenantId, threadId)
  let thread = await find()
  if (thread === undefined) {
    const pack = packFor(context, principal, packName ?? defaultPack(context))
    const about = scopeFor(context, principal, pack, scope)
    try {
      return await engine.createThread({ principal, pack: pack.name, scope: about, threadId, title })
    } catch (error) {
      // Two first messages at once: the other one began it.
      thread = await find()
      if (thread === undefined) throw error
    }
  }
  if (thread.userId !== principal.userId) throw new HttpError('NOT_FOUND', gate.say.threadNotFound())
  const isOther = (scope && !isSameScope(scope, thread.scope)) || (packName && packName !== thread.pack)
  if (isOther) {
    throw new HttpError('CONFLICT', 'This conversation is about something else. Begin another one for that.', {
      details: { pack: thread.pack, scope: thread.scope },
    })
  }
  return thread
}

function isSameScope(given: Record<string, string>, own: Thread['scope']): boolean {
  const keys = Object.keys(given)
  return keys.length === Object.keys(own).length && keys.every((key) => given[key] === own[key])
}

function defaultPack({ packs }: ServerContext): string {
  const [first, second] = packs
  if (first && second === undefined) return first.name
  return packs.find(({ name }) => name === 'gameplan')?.name ?? first?.name ?? ''
}

async function say(
  context: ServerContext,
  principal: Principal,
  { threadId, tenantId }: Thread,
  { messageId = newId(), parts }: ChatTurn & { kind: 'message' },
  mode: 'inline' | 'background' | undefined,
): Promise<Response> {
  const { engine, gate } = context
  const sent = await engine.send({ principal, threadId, parts, messageId, ...(mode && { mode }) })
  switch (sent.kind) {
    case 'missing':
      throw new HttpError('NOT_FOUND', sent.message)
    case 'limited':
      throw new HttpError('RATE_LIMITED', sent.message, { headers: { 'retry-after': retryAfter(sent.retryAt) } })
    case 'repeated': {
      // Sent again after a connection broke: it gets the answer it has. Anything else would change what was acted on.
      const newest = (await gate.store.runs.messages(tenantId, threadId)).findLast(({ role }) => role === 'user')
      const isSame = newest?.messageId === messageId && isDeepStrictEqual(newest?.parts, parts)
      if (isSame && sent.answer) return streamOf(sent.answer)
      await sent.answer?.cancel()
      throw new HttpError('CONFLICT', 'A message that was sent stands as it is. Send a new one.')
    }
    default:
      return streamOf(wholeAnswer(context, sent.answer, { principal, threadId, userMessageId: messageId }))
  }
}

async function respond(
  context: ServerContext,
  principal: Principal,
  threadId: string,
  { messageId, steps, responses }: ChatTurn & { kind: 'responses' },
): Promise<Response> {
  const { engine, gate } = context
  const approvals = await Promise.all(
    responses.map(({ approvalId }) => gate.store.approvals.get(principal.tenantId, approvalId)),
  )
  // An approval is answered in the conversation, and at the call, that it was asked for.
  const isAnswered = (approval: Approval | undefined, index: number) =>
    approval?.threadId === threadId && approval.callId === responses[index]?.toolCallId
  if (!approvals.every(isAnswered)) throw new HttpError('NOT_FOUND', gate.say.approvalNotFound())
  const decisions = responses.map(({ approvalId, decision, reason }) => ({
    approvalId,
    decision,
    ...(reason && { reason }),
  }))
  const responded = await engine.respond({ principal, threadId, responses: decisions })
  if (responded === undefined) throw new HttpError('NOT_FOUND', gate.say.threadNotFound())
  const { outcomes, answer } = responded
  const refused = outcomes.find((outcome) => outcome.kind === 'refused')
  if (refused && outcomes.every(({ kind }) => kind === 'refused')) {
    await answer.cancel()
    throw new HttpError(refused.code, refused.message)
  }
  const shown = { steps, openCalls: responses.map(({ toolCallId }) => toolCallId) }
  // A client that keeps no messages names none of ours: it gets whatever the run says.
  const isOurs = approvals.some((approval) => approval?.runId && messageId?.startsWith(approval.runId))
  return streamOf(
    wholeAnswer(context, answer, { principal, threadId, shown, ...(isOurs && messageId && { messageId }) }),
  )
}

/** The newest answer of a conversation: as this process has it, or else as the record shows what another one writes. */
async function resumed(
  context: ServerContext,
  principal: Principal,
  threadId: string,
): Promise<ReadableStream<RunChunk> | undefined> {
  const { engine } = context
  const [replay, view] = [await engine.replay({ principal, threadId }), await engine.thread({ principal, threadId })]
  if (view === undefined) return undefined
  const asked = view.messages.findLast(({ role }) => role === 'user')
  const answer = { principal, threadId, ...(asked && { userMessageId: asked.id }) }
  if (replay) {
    const [first, stream] = await firstOf(replay)
    const messageId = first?.type === 'start' ? first.messageId : undefined
    const at = view.messages.findIndex(({ id }) => id === messageId)
    const isPassed = at >= 0 && asked !== undefined && at < view.messages.indexOf(asked)
    if (!isPassed) return wholeAnswer(context, stream, { principal, threadId, ...(messageId && { messageId }) })
    await stream.cancel()
  }
  return view.liveRun?.status === 'running' ? wholeAnswer(context, nothing(), answer) : undefined
}

async function firstOf(stream: ReadableStream<RunChunk>): Promise<[RunChunk | undefined, ReadableStream<RunChunk>]> {
  const [peeked, whole] = stream.tee()
  const reader = peeked.getReader()
  const { value } = await reader.read()
  // A branch that is left is cancelled; the other one alone then holds the stream.
  void reader.cancel()
  return [value, whole]
}

function nothing(): ReadableStream<RunChunk> {
  return new ReadableStream({ start: (controller) => controller.close() })
}
