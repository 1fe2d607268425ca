import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { id } from '../inputs.ts'

export default defineTool({
  name: 'get_game_system',
  category: 'game-system',
  kind: 'read',
  description:
    'Get one game system with all its sections, what it depends on, what depends on it, and its change log; list_game_systems shows the ids.',
  inputSchema: z.strictObject({ systemId: id('Id of the game system') }),
  execute: ({ input, services }) => services.gameSystems.get(input.systemId),
  describe: ({ input, result }) =>
    describeOutcome(
      result,
      (data) => `Read game system "${data.name}" (${data.systemSlug})`,
      `read game system ${input.systemId}`,
    ),
  sources: ({ data }) => [{ table: 'gameplan.game_systems', id: data.id }],
  entities: ({ data }) => [{ kind: 'game-system', id: data.id, title: data.name }],
  examples: [
    {
      input: (demo) => ({ systemId: demo.inventory }),
      gives: { name: 'Inventory', systemSlug: 'inventory', mvpCriticality: 'core' },
    },
    { input: () => ({ systemId: 'missing' }), refuses: 'NOT_FOUND' },
    { input: (demo) => ({ systemId: demo.otherSystem }), refuses: 'NOT_FOUND' },
  ],
})
