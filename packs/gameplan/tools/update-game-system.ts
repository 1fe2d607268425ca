import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { criticality, id, line, longInputBytes, systemStatus, systemTextFields } from '../inputs.ts'

export default defineTool({
  name: 'update_game_system',
  category: 'game-system',
  kind: 'update',
  effect: 'transaction',
  description:
    'Change fields of a game system and say in changeSummary what changed, for its change log; what is left out and the slug stay as they are, an empty text clears its section.',
  inputSchema: z.strictObject({
    systemId: id('Id of the game system'),
    changeSummary: line('What the change log shall say', 500).optional(),
    name: line('New name').optional(),
    mvpCriticality: criticality.describe('How much the first release needs it').optional(),
    status: systemStatus.describe('Where the system stands').optional(),
    ...systemTextFields,
  }),
  limits: { inputBytes: longInputBytes },
  execute: ({ input, services }) => services.gameSystems.update(input),
  describe: ({ input, result }) =>
    describeOutcome(
      result,
      (data) =>
        data.changedFields.length === 0
          ? `Game system "${data.name}" (${data.systemSlug}) was already so`
          : `Updated game system "${data.name}" (${data.systemSlug})`,
      `update game system ${input.systemId}`,
    ),
  entities: ({ data }) => [{ kind: 'game-system', id: data.id, title: data.name }],
  examples: [
    {
      input: (demo) => ({
        systemId: demo.inventory,
        openQuestions: 'How many slots?',
        changeSummary: 'Asked about slots',
      }),
      gives: { name: 'Inventory', openQuestions: 'How many slots?', changedFields: ['openQuestions'] },
    },
    { input: (demo) => ({ systemId: demo.inventory }), refuses: 'VALIDATION' },
    { input: () => ({ systemId: 'missing', purpose: 'None' }), refuses: 'NOT_FOUND' },
  ],
})
