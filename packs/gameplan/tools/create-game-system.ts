import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { criticality, line, longInputBytes, projectId, systemSlug, systemStatus, systemTextFields } from '../inputs.ts'

export default defineTool({
  name: 'create_game_system',
  category: 'game-system',
  kind: 'create',
  effect: 'transaction',
  description: 'Create a game system in a project under a name and a slug that is free there.',
  inputSchema: z.strictObject({
    projectId,
    name: line('Name of the system, like Combat System'),
    systemSlug,
    mvpCriticality: criticality.default('important').describe('How much the first release needs it'),
    status: systemStatus.default('draft').describe('Where the system stands'),
    ...systemTextFields,
  }),
  limits: { inputBytes: longInputBytes },
  execute: ({ input, services }) => services.gameSystems.create(input),
  describe: ({ input, result }) =>
    describeOutcome(
      result,
      (data) => `Created game system "${data.name}" (${data.systemSlug})`,
      `create game system "${input.name}" (${input.systemSlug})`,
    ),
  entities: ({ data }) => [{ kind: 'game-system', id: data.id, title: data.name }],
  examples: [
    {
      input: () => ({ name: 'Combat System', systemSlug: 'combat-system', mvpCriticality: 'core' }),
      gives: {
        name: 'Combat System',
        systemSlug: 'combat-system',
        mvpCriticality: 'core',
        status: 'draft',
        version: 'v0.1',
      },
    },
    { input: () => ({ name: 'Inventory again', systemSlug: 'inventory' }), refuses: 'CONFLICT' },
    { input: () => ({ name: 'Combat System', systemSlug: 'Combat System' }), refuses: 'VALIDATION' },
    { as: 'carol', input: () => ({ name: 'Combat System', systemSlug: 'combat-system' }), refuses: 'FORBIDDEN' },
  ],
})
