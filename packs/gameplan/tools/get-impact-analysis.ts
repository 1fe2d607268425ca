import { z } from 'zod'
import { counted } from '../counted.ts'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { id } from '../inputs.ts'

export default defineTool({
  name: 'get_impact_analysis',
  category: 'dependency',
  kind: 'read',
  description:
    'Find out which game systems and plans a change or the removal of one game system would touch, how far away and how firmly; list_game_systems shows the ids.',
  inputSchema: z.strictObject({ systemId: id('Id of the game system that would change') }),
  execute: ({ input, services }) => services.dependencies.impact(input.systemId),
  describe: ({ input, result }) =>
    describeOutcome(
      result,
      (data) => `Analysed the impact of "${data.system.name}": ${counted(data.affected.length, 'dependent system')}`,
      `analyse the impact of ${input.systemId}`,
    ),
  sources: ({ data }) => [
    { table: 'gameplan.game_systems', id: data.system.id },
    { table: 'gameplan.dependencies', query: `systems that depend on ${data.system.id}` },
  ],
  entities: ({ data }) => [{ kind: 'game-system', id: data.system.id, title: data.system.name }],
  examples: [
    {
      input: (demo) => ({ systemId: demo.oldPrototype }),
      gives: { system: { name: 'Old Prototype' }, affected: [], direct: 0 },
    },
    { input: () => ({ systemId: 'missing' }), refuses: 'NOT_FOUND' },
  ],
})
