import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { id } from '../inputs.ts'

export default defineTool({
  name: 'delete_game_system',
  category: 'game-system',
  kind: 'delete',
  effect: 'transaction',
  description: 'Delete a game system with the dependencies that touch it; list_game_systems shows the ids.',
  inputSchema: z.strictObject({ systemId: id('Id of the game system to delete') }),
  preview: ({ input, services }) => services.gameSystems.impactOfDelete(input.systemId),
  execute: ({ input, services }) => services.gameSystems.delete(input.systemId),
  describe: ({ input, result }) =>
    describeOutcome(result, (data) => `Deleted game system "${data.name}"`, `delete game system ${input.systemId}`),
  examples: [
    {
      input: (demo) => ({ systemId: demo.oldPrototype }),
      gives: { name: 'Old Prototype', systemSlug: 'old-prototype' },
    },
    { input: () => ({ systemId: 'missing' }), refuses: 'NOT_FOUND' },
    { as: 'carol', input: (demo) => ({ systemId: demo.oldPrototype }), refuses: 'FORBIDDEN' },
  ],
})
