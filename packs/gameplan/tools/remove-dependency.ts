import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { id } from '../inputs.ts'

export default defineTool({
  name: 'remove_dependency',
  category: 'dependency',
  kind: 'delete',
  effect: 'transaction',
  risk: 'medium',
  approval: 'never',
  description: 'Remove the dependency of one game system on another; the source is the system that needs the target.',
  inputSchema: z.strictObject({
    sourceSystemId: id('Id of the system that needs the other one'),
    targetSystemId: id('Id of the system that is needed'),
  }),
  execute: ({ input, services }) => services.dependencies.remove(input),
  describe: ({ input, result }) =>
    describeOutcome(
      result,
      (data) => `Removed dependency: ${data.source.name} no longer depends on ${data.target.name}`,
      `remove the dependency of ${input.sourceSystemId} on ${input.targetSystemId}`,
    ),
  examples: [
    {
      input: (demo) => ({ sourceSystemId: demo.crafting, targetSystemId: demo.inventory }),
      gives: { source: { name: 'Crafting' }, target: { name: 'Inventory' } },
    },
    { input: (demo) => ({ sourceSystemId: demo.inventory, targetSystemId: demo.crafting }), refuses: 'NOT_FOUND' },
  ],
})
