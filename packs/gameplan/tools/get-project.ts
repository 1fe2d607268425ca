import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { projectId } from '../inputs.ts'

export default defineTool({
  name: 'get_project',
  category: 'project',
  kind: 'read',
  description:
    'Get the details of a project with the counts of its systems, dependencies, brainstorms, plans, threads and exports.',
  inputSchema: z.strictObject({ projectId }),
  execute: ({ input, services }) => services.projects.get(input.projectId),
  describe: ({ result }) => describeOutcome(result, (data) => `Read project "${data.name}"`, 'read the project'),
  sources: ({ data }) => [{ table: 'gameplan.projects', id: data.id }],
  entities: ({ data }) => [{ kind: 'project', id: data.id, title: data.name }],
  examples: [
    { input: () => ({}), gives: { name: 'Dungeon Crawler', status: 'active' } },
    { input: () => ({ projectId: 'missing' }), scope: () => ({}), refuses: 'NOT_FOUND' },
    { input: (demo) => ({ projectId: demo.otherProject }), refuses: 'FORBIDDEN' },
  ],
})
