import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { id } from '../inputs.ts'

export default defineTool({
  name: 'delete_version_plan',
  category: 'version-plan',
  kind: 'delete',
  effect: 'transaction',
  description: 'Delete a draft version plan, while finalized ones stay for good; list_version_plans shows the ids.',
  inputSchema: z.strictObject({ planId: id('Id of the draft to delete') }),
  preview: ({ input, services }) => services.versionPlans.impactOfDelete(input.planId),
  execute: ({ input, services }) => services.versionPlans.delete(input.planId),
  describe: ({ input, result }) =>
    describeOutcome(
      result,
      (data) => `Deleted version plan "${data.title}" (${data.versionLabel})`,
      `delete version plan ${input.planId}`,
    ),
  examples: [
    { input: (demo) => ({ planId: demo.draftPlan }), gives: { versionLabel: 'v0.2' } },
    { input: (demo) => ({ planId: demo.finalizedPlan }), refuses: 'CONFLICT' },
    { input: () => ({ planId: 'missing' }), refuses: 'NOT_FOUND' },
  ],
})
