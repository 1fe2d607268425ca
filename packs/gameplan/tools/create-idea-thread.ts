import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { content, line, projectId } from '../inputs.ts'

export default defineTool({
  name: 'create_idea_thread',
  category: 'idea-stream',
  kind: 'create',
  effect: 'transaction',
  description: 'Open an idea thread in a project with its first message.',
  inputSchema: z.strictObject({
    projectId,
    content: content('The first message', 10_000),
    title: line('Title of the thread; left out, how the message begins').optional(),
  }),
  execute: ({ input, services }) => services.ideas.createThread(input),
  describe: ({ result }) =>
    describeOutcome(result, (data) => `Created idea thread "${data.thread.title}"`, 'create an idea thread'),
  entities: ({ data }) => [{ kind: 'idea-thread', id: data.thread.id, title: data.thread.title }],
  examples: [
    {
      input: () => ({ content: 'What if the map were alive?' }),
      gives: { thread: { title: 'What if the map were alive?' }, message: { author: 'alice' } },
    },
    { input: () => ({ content: '' }), refuses: 'VALIDATION' },
    { as: 'carol', input: () => ({ content: 'What if the map were alive?' }), refuses: 'FORBIDDEN' },
  ],
})
