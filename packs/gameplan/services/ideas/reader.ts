import { createHash } from 'node:crypto'
import { and, desc, eq, inArray, isNull, lt, ne, sql } from 'drizzle-orm'
import { InvalidInputError } from 'handrail'
import { counted } from '../../counted.ts'
import { ideaMessages, ideaReads, ideaThreads } from '../../db/schema.ts'
import type { Context } from '../context.ts'
import { findProject } from '../projects/find-project.ts'
import { findThread, type MessageRow } from './find-thread.ts'
import { messageView } from './message-view.ts'
import { threadsAsMarkdown } from './threads-as-markdown.ts'
import { threadsToFinalize } from './threads-to-finalize.ts'

export interface IdeaPage {
  limit: number
  /** `nextCursor` of the page before: the id of the last thing it showed. */
  cursor?: string | undefined
}

const previewCharacters = 140
const restart = 'Use `nextCursor` of the page before as it is, or leave `cursor` out to start with the newest.'

export function ideaReader(context: Context) {
  const { db, principal } = context

  /** A project's threads, the one with the newest message first, with what this person has not read yet. */
  async function listThreads(request: IdeaPage & { projectId?: string | undefined }) {
    const project = await findProject(context, request.projectId)
    const from = request.cursor === undefined ? undefined : await threadCursor(project.id, request.cursor)
    const rows = await db
      .select()
      .from(ideaThreads)
      .where(
        and(
          eq(ideaThreads.tenantId, principal.tenantId),
          eq(ideaThreads.projectId, project.id),
          from === undefined ? undefined : lt(ideaThreads.lastPosition, from),
        ),
      )
      .orderBy(desc(ideaThreads.lastPosition))
      .limit(request.limit + 1)
    const shown = rows.slice(0, request.limit)
    const ids = shown.map((row) => row.id)
    const unread = await unreadCounts(ids)
    const newest = await newestMessages(ids)
    const last = shown.at(-1)
    return {
      projectId: project.id,
      items: shown.map((row) => {
        const unreadCount = unread.get(row.id) ?? 0
        return {
          id: row.id,
          title: row.title,
          createdBy: row.createdBy,
          createdAt: row.createdAt.toISOString(),
          lastActivityAt: row.lastActivityAt.toISOString(),
          lastMessagePreview: newest.get(row.id) ?? null,
          unread: unreadCount > 0,
          unreadCount,
        }
      }),
      ...(rows.length > shown.length && last ? { nextCursor: last.id } : {}),
    }
  }

  async function threadCursor(projectId: string, cursor: string): Promise<number> {
    const [row] = await db
      .select({ position: ideaThreads.lastPosition })
      .from(ideaThreads)
      .where(
        and(
          eq(ideaThreads.tenantId, principal.tenantId),
          eq(ideaThreads.projectId, projectId),
          eq(ideaThreads.id, cursor),
        ),
      )
    if (row) return row.position
    throw new InvalidInputError('`cursor` is not one of this list', { next: restart })
  }

  /** Messages of others that came after what this person has read. */
  async function unreadCounts(threadIds: readonly string[]): Promise<Map<string, number>> {
    if (threadIds.length === 0) return new Map()
    const rows = await db
      .select({ threadId: ideaMessages.threadId, unread: sql<number>`count(*)::int` })
      .from(ideaMessages)
      .leftJoin(
        ideaReads,
        and(
          eq(ideaReads.threadId, ideaMessages.threadId),
          eq(ideaReads.tenantId, principal.tenantId),
          eq(ideaReads.userId, principal.userId),
        ),
      )
      .where(
        and(
          eq(ideaMessages.tenantId, principal.tenantId),
          inArray(ideaMessages.threadId, [...threadIds]),
          isNull(ideaMessages.removedAt),
          ne(ideaMessages.authorId, principal.userId),
          sql`${ideaMessages.position} > coalesce(${ideaReads.readPosition}, 0)`,
        ),
      )
      .groupBy(ideaMessages.threadId)
    return new Map(rows.map((row) => [row.threadId, row.unread]))
  }

  async function newestMessages(threadIds: readonly string[]): Promise<Map<string, string>> {
    if (threadIds.length === 0) return new Map()
    const rows = await db
      .selectDistinctOn([ideaMessages.threadId], { threadId: ideaMessages.threadId, content: ideaMessages.content })
      .from(ideaMessages)
      .where(
        and(
          eq(ideaMessages.tenantId, principal.tenantId),
          inArray(ideaMessages.threadId, [...threadIds]),
          isNull(ideaMessages.removedAt),
        ),
      )
      .orderBy(ideaMessages.threadId, desc(ideaMessages.position))
    return new Map(rows.map((row) => [row.threadId, shorten(row.content)]))
  }

  /** A thread's newest messages, oldest first. Looking does not mark them as read. */
  async function messages(request: IdeaPage & { threadId: string }) {
    const thread = await findThread(context, request.threadId)
    const ofThread = and(eq(ideaMessages.tenantId, principal.tenantId), eq(ideaMessages.threadId, thread.id))
    const before = request.cursor === undefined ? undefined : await messageCursor(thread.id, request.cursor)
    const rows = await db
      .select()
      .from(ideaMessages)
      .where(and(ofThread, before === undefined ? undefined : lt(ideaMessages.position, before)))
      .orderBy(desc(ideaMessages.position))
      .limit(request.limit + 1)
    const shown = rows.slice(0, request.limit).reverse()
    const reads = await db
      .select()
      .from(ideaReads)
      .where(and(eq(ideaReads.tenantId, principal.tenantId), eq(ideaReads.threadId, thread.id)))
      .orderBy(ideaReads.userId)
    const oldest = shown[0]
    return {
      thread: { id: thread.id, title: thread.title },
      items: shown.map((row) => ({ ...messageView(row), readBy: readersOf(row, reads) })),
      ...(rows.length > shown.length && oldest ? { nextCursor: oldest.id } : {}),
    }
  }

  async function messageCursor(threadId: string, cursor: string): Promise<number> {
    const [row] = await db
      .select({ position: ideaMessages.position })
      .from(ideaMessages)
      .where(
        and(
          eq(ideaMessages.tenantId, principal.tenantId),
          eq(ideaMessages.threadId, threadId),
          eq(ideaMessages.id, cursor),
        ),
      )
    if (row) return row.position
    throw new InvalidInputError('`cursor` is not one of this thread', { next: restart })
  }

  /** What would become of threads that are finalized into a brainstorm. */
  async function previewOfFinalize(request: { threadIds: readonly string[]; title?: string | undefined }) {
    const { title, threads } = await threadsToFinalize(context, request)
    const markdown = threadsAsMarkdown(threads)
    const view = {
      brainstorm: { title },
      threads: threads.map(({ thread, messages }) => ({
        id: thread.id,
        title: thread.title,
        messages: messages.length,
      })),
      content: markdown,
      warning: `A brainstorm "${title}" is made of ${counted(threads.length, 'thread')} as they stand now. The threads stay.`,
    }
    const content = createHash('sha256').update(markdown).digest('hex')
    return {
      view,
      basis: { title, content },
      title: `Finalize ${counted(threads.length, 'idea thread')} to brainstorm "${title}"`,
    }
  }

  return { listThreads, messages, previewOfFinalize }
}

function readersOf(message: MessageRow, reads: readonly (typeof ideaReads.$inferSelect)[]): string[] {
  return reads
    .filter((read) => read.readPosition >= message.position && read.userId !== message.authorId)
    .map((read) => read.userId)
}

function shorten(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length > previewCharacters
    ? `${characters.slice(0, previewCharacters - 1).join('')}…`
    : characters.join('')
}
