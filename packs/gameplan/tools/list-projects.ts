import { z } from 'zod'
import { counted } from '../counted.ts'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { paging, projectStatus } from '../inputs.ts'

export default defineTool({
  name: 'list_projects',
  category: 'project',
  kind: 'read',
  description: 'List the projects of this workspace with their ids, optionally only those with one status.',
  inputSchema: z.strictObject({
    status: projectStatus.describe('Only projects with this status').optional(),
    ...paging,
  }),
  execute: ({ input, services }) => services.projects.list(input),
  describe: ({ result }) =>
    describeOutcome(
      result,
      (data) => `Listed ${data.items.length} of ${counted(data.total, 'project')}`,
      'list projects',
    ),
  sources: ({ data }) => data.items.map((project) => ({ table: 'gameplan.projects', id: project.id })),
  entities: ({ data }) => data.items.map((project) => ({ kind: 'project', id: project.id, title: project.name })),
  examples: [
    { input: () => ({ status: 'active' }), gives: { items: [{ name: 'Dungeon Crawler' }], total: 1, page: 1 } },
    { input: () => ({ pageSize: 500 }), refuses: 'VALIDATION' },
  ],
})
