import { z } from 'zod'
import { counted } from '../counted.ts'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { paging, projectId } from '../inputs.ts'

export default defineTool({
  name: 'list_exports',
  category: 'export',
  kind: 'read',
  description: 'List the documents that were exported from a project, newest first, without their content.',
  inputSchema: z.strictObject({ projectId, ...paging }),
  execute: ({ input, services }) => services.exports.list(input),
  describe: ({ result }) =>
    describeOutcome(
      result,
      (data) => `Listed ${data.items.length} of ${counted(data.total, 'export')}`,
      'list exports',
    ),
  sources: ({ data }) => data.items.map((document) => ({ table: 'gameplan.exports', id: document.id })),
  entities: ({ data }) => data.items.map((document) => ({ kind: 'export', id: document.id, title: document.title })),
  examples: [
    {
      input: () => ({}),
      gives: { items: [{ exportType: 'roadmap', format: 'markdown', title: 'Dungeon Crawler: Roadmap' }] },
    },
    { input: () => ({ pageSize: 101 }), refuses: 'VALIDATION' },
  ],
})
