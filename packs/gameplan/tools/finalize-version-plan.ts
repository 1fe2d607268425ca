import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { id } from '../inputs.ts'

export default defineTool({
  name: 'finalize_version_plan',
  category: 'version-plan',
  kind: 'action',
  effect: 'transaction',
  description:
    'Finalize a draft version plan, which freezes its systems as they stand now and cannot be undone; list_version_plans shows the ids.',
  inputSchema: z.strictObject({ planId: id('Id of the draft to finalize') }),
  preview: ({ input, services }) => services.versionPlans.previewOfFinalize(input.planId),
  execute: ({ input, services }) => services.versionPlans.finalize(input.planId),
  describe: ({ input, result }) =>
    describeOutcome(
      result,
      (data) => `Finalized version plan "${data.title}" (${data.versionLabel})`,
      `finalize version plan ${input.planId}`,
    ),
  entities: ({ data }) => [{ kind: 'version-plan', id: data.id, title: data.versionLabel }],
  examples: [
    {
      input: (demo) => ({ planId: demo.draftPlan }),
      gives: { versionLabel: 'v0.2', status: 'finalized', finalizedBy: 'alice' },
    },
    { input: (demo) => ({ planId: demo.finalizedPlan }), refuses: 'CONFLICT' },
    { input: () => ({ planId: 'missing' }), refuses: 'NOT_FOUND' },
  ],
})
