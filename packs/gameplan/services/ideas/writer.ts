import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { ConflictError, ForbiddenError, NotFoundError } from 'handrail'
import { ideaMessages, ideaReads, ideaThreads } from '../../db/schema.ts'
import { recordActivity } from '../activity/record-activity.ts'
import { brainstormView } from '../brainstorms/reader.ts'
import { insertBrainstorm } from '../brainstorms/writer.ts'
import type { Context } from '../context.ts'
import { holdProject } from '../projects/find-project.ts'
import { findMessage, findThread, type MessageRow, type ThreadRow } from './find-thread.ts'
import { messageView } from './message-view.ts'
import { threadsAsMarkdown } from './threads-as-markdown.ts'
import { threadsToFinalize } from './threads-to-finalize.ts'

const titleCharacters = 80

export function ideaWriter(context: Context) {
  const { db, principal } = context

  /** Opens a thread with its first message; without a title it is called by how that begins. */
  async function createThread(request: {
    projectId?: string | undefined
    content: string
    title?: string | undefined
  }) {
    const project = await holdProject(context, request.projectId, 'share')
    const [thread] = await db
      .insert(ideaThreads)
      .values({
        id: randomUUID(),
        tenantId: principal.tenantId,
        projectId: project.id,
        title: request.title ?? beginningOf(request.content),
        createdBy: principal.userId,
      })
      .returning()
    if (!thread) throw new NotFoundError('The new thread')
    const message = await insertMessage(thread, request.content, undefined)
    await record(thread, 'created')
    return {
      thread: { id: thread.id, title: thread.title, createdAt: thread.createdAt.toISOString() },
      message: messageView(message),
    }
  }

  /** Adds a message to a thread. A message it answers has to be in that thread. */
  async function post(request: { threadId: string; content: string; parentMessageId?: string | undefined }) {
    const thread = await findThread(context, request.threadId)
    await holdProject(context, thread.projectId, 'share')
    if (request.parentMessageId !== undefined) await requireInThread(thread, request.parentMessageId)
    const message = await insertMessage(thread, request.content, request.parentMessageId)
    await record(thread, 'posted')
    return { ...messageView(message), threadTitle: thread.title }
  }

  async function requireInThread(thread: ThreadRow, messageId: string): Promise<void> {
    const parent = await findMessage(context, messageId)
    if (parent.threadId === thread.id) return
    throw new NotFoundError(`Idea message \`${messageId}\` in this thread`, {
      next: 'get_thread_messages shows the messages that can be answered.',
    })
  }

  async function insertMessage(
    thread: ThreadRow,
    content: string,
    parentMessageId: string | undefined,
  ): Promise<MessageRow> {
    const [message] = await db
      .insert(ideaMessages)
      .values({
        id: randomUUID(),
        tenantId: principal.tenantId,
        threadId: thread.id,
        authorId: principal.userId,
        writtenBy: principal.actor,
        content,
        ...(parentMessageId === undefined ? {} : { parentMessageId }),
      })
      .returning()
    if (!message) throw new NotFoundError('The new message')
    await db
      .update(ideaThreads)
      .set({
        lastPosition: sql`greatest(${ideaThreads.lastPosition}, ${message.position})`,
        lastActivityAt: sql`now()`,
      })
      .where(and(eq(ideaThreads.tenantId, principal.tenantId), eq(ideaThreads.id, thread.id)))
    return message
  }

  /** Changes the text of one's own message. */
  async function edit(request: { messageId: string; content: string }) {
    const message = await findOwn(request.messageId)
    const [row] = await db
      .update(ideaMessages)
      .set({ content: request.content, editedAt: sql`now()` })
      .where(and(eq(ideaMessages.tenantId, principal.tenantId), eq(ideaMessages.id, message.id)))
      .returning()
    if (!row) throw new NotFoundError('The message')
    return messageView(row)
  }

  /** Takes one's own message back: that it was there stays visible, its text does not. */
  async function remove(messageId: string) {
    const message = await findOwn(messageId)
    const [row] = await db
      .update(ideaMessages)
      .set({ content: '', removedAt: sql`now()` })
      .where(and(eq(ideaMessages.tenantId, principal.tenantId), eq(ideaMessages.id, message.id)))
      .returning()
    if (!row) throw new NotFoundError('The message')
    return messageView(row)
  }

  async function findOwn(messageId: string): Promise<MessageRow> {
    const message = await findMessage(context, messageId)
    if (message.authorId !== principal.userId) {
      throw new ForbiddenError('Only its author may change or remove a message', { next: 'Post an answer instead.' })
    }
    if (message.removedAt) throw new ConflictError('The message was removed', { next: 'Post a new one.' })
    return message
  }

  /** Notes that this person has read a thread up to its newest message. Tools never do; views do. */
  async function markRead(threadId: string) {
    const thread = await findThread(context, threadId)
    await holdProject(context, thread.projectId, 'share')
    await db
      .insert(ideaReads)
      .values({
        threadId: thread.id,
        userId: principal.userId,
        tenantId: principal.tenantId,
        readPosition: thread.lastPosition,
      })
      .onConflictDoUpdate({
        target: [ideaReads.threadId, ideaReads.userId],
        set: { readPosition: sql`greatest(${ideaReads.readPosition}, excluded.read_position)`, readAt: sql`now()` },
      })
    return { threadId: thread.id }
  }

  /** Gathers threads into a brainstorm, as they stand now and in the given order. The threads stay. */
  async function finalizeToBrainstorm(request: {
    threadIds: readonly string[]
    title?: string | undefined
    authorDisplay?: string | undefined
  }) {
    const { projectId, title, threads } = await threadsToFinalize(context, request)
    await holdProject(context, projectId, 'share')
    const row = await insertBrainstorm(context, projectId, {
      title,
      content: threadsAsMarkdown(threads),
      author: request.authorDisplay,
      source: 'idea-stream',
      sourceThreadIds: request.threadIds,
    })
    return brainstormView(row)
  }

  function record(thread: ThreadRow, change: 'created' | 'posted') {
    return recordActivity(context, {
      projectId: thread.projectId,
      thingType: 'idea-thread',
      thingId: thread.id,
      change,
      label: thread.title,
    })
  }

  return { createThread, post, edit, remove, markRead, finalizeToBrainstorm }
}

/** How a text begins, as a title: its first line, cut between characters. */
function beginningOf(content: string): string {
  const firstLine = (content.trim().split(/[\r\n]/, 1)[0] ?? '').replace(/[\s\p{Cc}]+/gu, ' ')
  const characters = [...firstLine]
  return characters.length > titleCharacters ? `${characters.slice(0, titleCharacters - 1).join('')}…` : firstLine
}
