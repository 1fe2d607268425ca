import { z } from 'zod'
import { counted } from '../counted.ts'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { paging, projectId } from '../inputs.ts'

export default defineTool({
  name: 'list_brainstorms',
  category: 'brainstorm',
  kind: 'read',
  description: 'List the brainstorms of a project with their ids, newest first.',
  inputSchema: z.strictObject({ projectId, ...paging }),
  execute: ({ input, services }) => services.brainstorms.list(input),
  describe: ({ result }) =>
    describeOutcome(
      result,
      (data) => `Listed ${data.items.length} of ${counted(data.total, 'brainstorm')}`,
      'list brainstorms',
    ),
  sources: ({ data }) => data.items.map((brainstorm) => ({ table: 'gameplan.brainstorms', id: brainstorm.id })),
  entities: ({ data }) =>
    data.items.map((brainstorm) => ({ kind: 'brainstorm', id: brainstorm.id, title: brainstorm.title })),
  examples: [
    { input: () => ({}), gives: { total: 2, page: 1, pageSize: 20, totalPages: 1 } },
    { input: () => ({ page: 0 }), refuses: 'VALIDATION' },
  ],
})
