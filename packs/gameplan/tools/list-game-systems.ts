import { z } from 'zod'
import { counted } from '../counted.ts'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { criticality, line, paging, projectId, systemStatus } from '../inputs.ts'

export default defineTool({
  name: 'list_game_systems',
  category: 'game-system',
  kind: 'read',
  description:
    'List the game systems of a project with their ids and slugs, optionally by status, by mvpCriticality or by a search in name, slug and purpose.',
  inputSchema: z.strictObject({
    projectId,
    status: systemStatus.describe('Only systems with this status').optional(),
    mvpCriticality: criticality.describe('Only systems that are this important for the first release').optional(),
    search: line('Part of a name, slug or purpose').optional(),
    ...paging,
  }),
  execute: ({ input, services }) => services.gameSystems.list(input),
  describe: ({ result }) =>
    describeOutcome(
      result,
      (data) => `Listed ${data.items.length} of ${counted(data.total, 'game system')}`,
      'list game systems',
    ),
  sources: ({ data }) => data.items.map((system) => ({ table: 'gameplan.game_systems', id: system.id })),
  entities: ({ data }) => data.items.map((system) => ({ kind: 'game-system', id: system.id, title: system.name })),
  examples: [
    {
      input: () => ({ search: 'old prototype' }),
      gives: { items: [{ name: 'Old Prototype', systemSlug: 'old-prototype' }], total: 1 },
    },
    { input: () => ({ status: 'finished' }), refuses: 'VALIDATION' },
    { input: (demo) => ({ projectId: demo.otherProject }), refuses: 'FORBIDDEN' },
  ],
})
