import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { projectId } from '../inputs.ts'

export default defineTool({
  name: 'delete_project',
  category: 'project',
  kind: 'delete',
  effect: 'transaction',
  description: 'Delete a project with everything in it, for good.',
  inputSchema: z.strictObject({ projectId }),
  preview: ({ input, services }) => services.projects.impactOfDelete(input.projectId),
  execute: ({ input, services }) => services.projects.delete(input.projectId),
  describe: ({ result }) => describeOutcome(result, (data) => `Deleted project "${data.name}"`, 'delete the project'),
  examples: [
    { input: (demo) => ({ projectId: demo.otherProject }), scope: () => ({}), gives: { name: 'Puzzle Garden' } },
    { input: () => ({ projectId: 'missing' }), scope: () => ({}), refuses: 'NOT_FOUND' },
  ],
})
