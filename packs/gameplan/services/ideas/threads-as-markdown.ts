import type { MessageRow, ThreadRow } from './find-thread.ts'

/**
 * The content of a brainstorm made of threads: in the given order, each message quoted under its author, with a mark
 * where it was edited, and of a removed one only that it was there.
 */
export function threadsAsMarkdown(
  threads: readonly { thread: Pick<ThreadRow, 'title'>; messages: readonly MessageRow[] }[],
): string {
  return threads
    .map(({ thread, messages }) => {
      const authorOf = new Map(messages.map((message) => [message.id, message.authorId]))
      return [`## ${thread.title}`, ...messages.map((message) => messageAsMarkdown(message, authorOf))].join('\n\n')
    })
    .join('\n\n')
}

function messageAsMarkdown(message: MessageRow, authorOf: ReadonlyMap<string, string>): string {
  const parent = message.parentMessageId === null ? undefined : authorOf.get(message.parentMessageId)
  const reply = parent === undefined ? '' : `, in reply to ${parent}`
  const head = `**${message.authorId}**${reply}`
  if (message.removedAt) return `${head} (removed)`
  const quoted = message.content
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
  return `${head}${message.editedAt ? ' (edited)' : ''}:\n\n${quoted}`
}
