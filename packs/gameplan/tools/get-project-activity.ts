import { z } from 'zod'
import { counted } from '../counted.ts'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { id, projectId } from '../inputs.ts'

export default defineTool({
  name: 'get_project_activity',
  category: 'project',
  kind: 'read',
  description: 'Get what happened in a project lately, newest first.',
  inputSchema: z.strictObject({
    projectId,
    limit: z.int().min(1).max(50).default(20).describe('How many lines'),
    cursor: id('nextCursor of the page before').optional(),
  }),
  execute: ({ input, services }) => services.activity.feed(input),
  describe: ({ result }) =>
    describeOutcome(
      result,
      (data) => `Read ${counted(data.items.length, 'line')} of project activity`,
      'read the project activity',
    ),
  sources: ({ data }) => [{ table: 'gameplan.activities', query: `project ${data.projectId}` }],
  examples: [
    { input: () => ({ limit: 1 }), gives: { items: [{ by: 'carol', type: 'idea-thread', change: 'posted' }] } },
    { input: () => ({ cursor: 'missing' }), refuses: 'VALIDATION' },
  ],
})
