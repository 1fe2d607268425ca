import type { MessageRow } from './find-thread.ts'

/** A message as tools show it; of a removed one only that it was there. */
export function messageView(row: MessageRow) {
  return {
    id: row.id,
    threadId: row.threadId,
    parentMessageId: row.parentMessageId,
    author: row.authorId,
    writtenBy: row.writtenBy,
    content: row.removedAt ? null : row.content,
    createdAt: row.createdAt.toISOString(),
    editedAt: row.editedAt?.toISOString() ?? null,
    removed: row.removedAt !== null,
  }
}
