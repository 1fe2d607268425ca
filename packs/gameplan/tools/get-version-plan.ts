import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { id } from '../inputs.ts'

export default defineTool({
  name: 'get_version_plan',
  category: 'version-plan',
  kind: 'read',
  description: 'Get a version plan with its systems and the phases to build them in; list_version_plans shows the ids.',
  inputSchema: z.strictObject({ planId: id('Id of the version plan') }),
  execute: ({ input, services }) => services.versionPlans.get(input.planId),
  describe: ({ input, result }) =>
    describeOutcome(
      result,
      (data) => `Read version plan "${data.title}" (${data.versionLabel})`,
      `read version plan ${input.planId}`,
    ),
  sources: ({ data }) => [{ table: 'gameplan.version_plans', id: data.id }],
  entities: ({ data }) => [{ kind: 'version-plan', id: data.id, title: data.versionLabel }],
  examples: [
    {
      input: (demo) => ({ planId: demo.finalizedPlan }),
      gives: {
        versionLabel: 'v0.1',
        status: 'finalized',
        phases: [
          { phase: 1, systems: ['character-stats', 'dungeon-generation'] },
          { phase: 2, systems: ['player-movement'] },
        ],
      },
    },
    { input: () => ({ planId: 'missing' }), refuses: 'NOT_FOUND' },
  ],
})
