import { z } from 'zod'
import { counted } from '../counted.ts'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { id } from '../inputs.ts'

export default defineTool({
  name: 'get_thread_messages',
  category: 'idea-stream',
  kind: 'read',
  description:
    'Get the newest messages of an idea thread, oldest first, with their authors and who has read them; it does not mark them as read, and list_idea_threads shows the ids.',
  inputSchema: z.strictObject({
    threadId: id('Id of the idea thread'),
    limit: z.int().min(1).max(100).default(50).describe('How many messages'),
    cursor: id('nextCursor of the page before, for older messages').optional(),
  }),
  execute: ({ input, services }) => services.ideas.messages(input),
  describe: ({ input, result }) =>
    describeOutcome(
      result,
      (data) => `Read ${counted(data.items.length, 'message')} of "${data.thread.title}"`,
      `read the messages of thread ${input.threadId}`,
    ),
  sources: ({ data }) => data.items.map((message) => ({ table: 'gameplan.idea_messages', id: message.id })),
  entities: ({ data }) => [{ kind: 'idea-thread', id: data.thread.id, title: data.thread.title }],
  examples: [
    { input: (demo) => ({ threadId: demo.thread, limit: 1 }), gives: { items: [{ author: 'carol', removed: false }] } },
    { input: () => ({ threadId: 'missing' }), refuses: 'NOT_FOUND' },
  ],
})
