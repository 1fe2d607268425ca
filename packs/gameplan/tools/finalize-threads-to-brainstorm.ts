import { z } from 'zod'
import { counted } from '../counted.ts'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { id, line } from '../inputs.ts'

export default defineTool({
  name: 'finalize_threads_to_brainstorm',
  category: 'idea-stream',
  kind: 'action',
  effect: 'transaction',
  description:
    'Gather idea threads into a new brainstorm, in the given order and as they stand now; list_idea_threads shows the ids.',
  inputSchema: z.strictObject({
    threadIds: z
      .array(id('Id of an idea thread'))
      .min(1)
      .max(50)
      .refine((ids) => new Set(ids).size === ids.length, 'must not name a thread twice')
      .describe('Ids of the idea threads, in the order of the brainstorm'),
    title: line('Title of the brainstorm').optional(),
    authorDisplay: line('Who the ideas are by; left out, the person who asks', 100).optional(),
  }),
  preview: ({ input, services }) => services.ideas.previewOfFinalize(input),
  execute: ({ input, services }) => services.ideas.finalizeToBrainstorm(input),
  describe: ({ input, result }) =>
    describeOutcome(
      result,
      (data) => `Finalized ${counted(data.sourceThreadIds.length, 'idea thread')} to brainstorm "${data.title}"`,
      `finalize ${counted(input.threadIds.length, 'idea thread')} to a brainstorm`,
    ),
  entities: ({ data }) => [{ kind: 'brainstorm', id: data.id, title: data.title }],
  examples: [
    {
      input: (demo) => ({ threadIds: [demo.thread, demo.otherThread], title: 'Voices of the dungeon' }),
      gives: { title: 'Voices of the dungeon', source: 'idea-stream', author: 'alice' },
    },
    { input: () => ({ threadIds: ['missing'] }), refuses: 'NOT_FOUND' },
    { input: () => ({ threadIds: [] }), refuses: 'VALIDATION' },
  ],
})
