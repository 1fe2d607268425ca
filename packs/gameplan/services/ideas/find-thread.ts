import { and, eq } from 'drizzle-orm'
import { NotFoundError } from 'handrail'
import { ideaMessages, ideaThreads } from '../../db/schema.ts'
import type { Context } from '../context.ts'
import { inScope } from '../in-scope.ts'

export type ThreadRow = typeof ideaThreads.$inferSelect
export type MessageRow = typeof ideaMessages.$inferSelect

/** Reads one idea thread. Another workspace's, another project's and a missing one are the same `NotFoundError`. */
export async function findThread(context: Context, threadId: string): Promise<ThreadRow> {
  const [row] = await context.db
    .select()
    .from(ideaThreads)
    .where(and(inScope(context, ideaThreads), eq(ideaThreads.id, threadId)))
  if (row) return row
  throw new NotFoundError(`Idea thread \`${threadId}\``, {
    next: 'list_idea_threads shows the ids of the threads of this project.',
  })
}

/** Reads one message of a thread that this person can see. */
export async function findMessage(context: Context, messageId: string): Promise<MessageRow> {
  const [row] = await context.db
    .select({ message: ideaMessages })
    .from(ideaMessages)
    .innerJoin(ideaThreads, eq(ideaThreads.id, ideaMessages.threadId))
    .where(
      and(
        inScope(context, ideaThreads),
        eq(ideaMessages.tenantId, context.principal.tenantId),
        eq(ideaMessages.id, messageId),
      ),
    )
  if (row) return row.message
  throw new NotFoundError(`Idea message \`${messageId}\``, {
    next: 'get_thread_messages shows the ids of the messages of a thread.',
  })
}
