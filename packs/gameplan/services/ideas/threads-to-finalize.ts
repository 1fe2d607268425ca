import { and, asc, eq, inArray } from 'drizzle-orm'
import { InvalidInputError } from 'handrail'
import { ideaMessages } from '../../db/schema.ts'
import type { Context } from '../context.ts'
import { findThread, type MessageRow, type ThreadRow } from './find-thread.ts'

const mostMessages = 2000

export interface ThreadsToFinalize {
  projectId: string
  title: string
  threads: { thread: ThreadRow; messages: MessageRow[] }[]
}

/**
 * Reads threads with all their messages, in the order asked for.
 *
 * @throws NotFoundError for a thread this person cannot see, or of another project than the conversation's
 * @throws InvalidInputError when they belong to different projects, or are too much for one brainstorm
 */
export async function threadsToFinalize(
  context: Context,
  { threadIds, title }: { threadIds: readonly string[]; title?: string | undefined },
): Promise<ThreadsToFinalize> {
  const rows: ThreadRow[] = []
  for (const threadId of threadIds) rows.push(await findThread(context, threadId))
  const [first] = rows
  if (!first || rows.some((row) => row.projectId !== first.projectId)) {
    throw new InvalidInputError('The threads belong to different projects', { next: 'Name threads of one project.' })
  }
  const messages = await context.db
    .select()
    .from(ideaMessages)
    .where(and(eq(ideaMessages.tenantId, context.principal.tenantId), inArray(ideaMessages.threadId, [...threadIds])))
    .orderBy(asc(ideaMessages.position))
    .limit(mostMessages + 1)
  if (messages.length > mostMessages) {
    throw new InvalidInputError(`The threads have more than ${mostMessages} messages`, {
      next: 'Finalize fewer threads at once.',
    })
  }
  const byThread = Map.groupBy(messages, (message) => message.threadId)
  return {
    projectId: first.projectId,
    title: title ?? (rows.length === 1 ? first.title : `Ideas from ${rows.length} threads`),
    threads: rows.map((thread) => ({ thread, messages: byThread.get(thread.id) ?? [] })),
  }
}
