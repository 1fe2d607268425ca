import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { content, id } from '../inputs.ts'

export default defineTool({
  name: 'post_idea_message',
  category: 'idea-stream',
  kind: 'create',
  effect: 'transaction',
  description:
    'Post a message to an idea thread, as an answer to another message of it if wanted; list_idea_threads shows the ids.',
  inputSchema: z.strictObject({
    threadId: id('Id of the idea thread'),
    content: content('The message', 10_000),
    parentMessageId: id('Id of the message it answers').optional(),
  }),
  execute: ({ input, services }) => services.ideas.post(input),
  describe: ({ input, result }) =>
    describeOutcome(
      result,
      (data) => `Posted a message to "${data.threadTitle}"`,
      `post a message to thread ${input.threadId}`,
    ),
  examples: [
    {
      as: 'carol',
      input: (demo) => ({ threadId: demo.thread, content: 'Only the old ones.', parentMessageId: demo.message }),
      gives: { author: 'carol', content: 'Only the old ones.', threadTitle: 'Talking monsters' },
    },
    { input: () => ({ threadId: 'missing', content: 'Hello' }), refuses: 'NOT_FOUND' },
    {
      input: (demo) => ({ threadId: demo.otherThread, content: 'Hello', parentMessageId: demo.message }),
      refuses: 'NOT_FOUND',
    },
  ],
})
