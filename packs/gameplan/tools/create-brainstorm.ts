import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { content, line, longInputBytes, projectId } from '../inputs.ts'

export default defineTool({
  name: 'create_brainstorm',
  category: 'brainstorm',
  kind: 'create',
  effect: 'transaction',
  description: 'Keep a brainstorm in a project: a title and its ideas as markdown.',
  inputSchema: z.strictObject({
    projectId,
    title: line('Title of the brainstorm'),
    content: content('The ideas, as markdown', 100_000),
    author: line('Who had the ideas; left out, the person who asks', 100).optional(),
    source: z
      .enum(['manual', 'meeting', 'playtest', 'research'])
      .default('manual')
      .describe('Where the ideas come from'),
    tags: z.array(line('A tag, like story or economy', 50)).max(20).describe('What it is about').optional(),
  }),
  limits: { inputBytes: longInputBytes },
  execute: ({ input, services }) => services.brainstorms.create(input),
  describe: ({ input, result }) =>
    describeOutcome(result, (data) => `Created brainstorm "${data.title}"`, `create brainstorm "${input.title}"`),
  entities: ({ data }) => [{ kind: 'brainstorm', id: data.id, title: data.title }],
  examples: [
    {
      input: () => ({ title: 'Boss ideas', content: 'A boss that steals your map.', tags: ['levels'] }),
      gives: { title: 'Boss ideas', author: 'alice', source: 'manual', tags: ['levels'] },
    },
    { input: () => ({ title: 'Boss ideas', content: ' ' }), refuses: 'VALIDATION' },
  ],
})
