import { z } from 'zod'
import { counted } from '../counted.ts'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { paging, projectId } from '../inputs.ts'

export default defineTool({
  name: 'list_version_plans',
  category: 'version-plan',
  kind: 'read',
  description: 'List the version plans of a project with their ids, newest first.',
  inputSchema: z.strictObject({ projectId, ...paging }),
  execute: ({ input, services }) => services.versionPlans.list(input),
  describe: ({ result }) =>
    describeOutcome(
      result,
      (data) => `Listed ${data.items.length} of ${counted(data.total, 'version plan')}`,
      'list version plans',
    ),
  sources: ({ data }) => data.items.map((plan) => ({ table: 'gameplan.version_plans', id: plan.id })),
  entities: ({ data }) => data.items.map((plan) => ({ kind: 'version-plan', id: plan.id, title: plan.versionLabel })),
  examples: [
    {
      input: () => ({}),
      gives: {
        items: [
          { versionLabel: 'v0.2', status: 'draft' },
          { versionLabel: 'v0.1', status: 'finalized' },
        ],
        total: 2,
      },
    },
    { input: () => ({ pageSize: 0 }), refuses: 'VALIDATION' },
  ],
})
