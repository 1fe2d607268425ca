import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { id } from '../inputs.ts'

export default defineTool({
  name: 'add_dependency',
  category: 'dependency',
  kind: 'create',
  effect: 'transaction',
  description:
    'Make one game system depend on another: the source is the system that needs the target; a circle of requirements is refused.',
  inputSchema: z.strictObject({
    sourceSystemId: id('Id of the system that needs the other one'),
    targetSystemId: id('Id of the system that is needed'),
    dependencyType: z
      .enum(['requires', 'enhances', 'optional'])
      .default('requires')
      .describe('requires: cannot work without it; enhances: works better with it; optional: can use it'),
    description: z.string().max(2000).describe('Why').optional(),
  }),
  execute: ({ input, services }) => services.dependencies.add(input),
  describe: ({ input, result }) =>
    describeOutcome(
      result,
      (data) => `Added dependency: ${data.source.name} ${verbs[data.type]} ${data.target.name}`,
      `add a dependency of ${input.sourceSystemId} on ${input.targetSystemId}`,
    ),
  examples: [
    {
      input: (demo) => ({ sourceSystemId: demo.oldPrototype, targetSystemId: demo.inventory }),
      gives: { type: 'requires', source: { name: 'Old Prototype' }, target: { name: 'Inventory' } },
    },
    { input: (demo) => ({ sourceSystemId: demo.inventory, targetSystemId: demo.inventory }), refuses: 'VALIDATION' },
    { input: (demo) => ({ sourceSystemId: demo.inventory, targetSystemId: demo.crafting }), refuses: 'CONFLICT' },
    { input: (demo) => ({ sourceSystemId: demo.inventory, targetSystemId: demo.otherSystem }), refuses: 'NOT_FOUND' },
  ],
})

const verbs = { requires: 'requires', enhances: 'enhances', optional: 'can use' } as const
