import { z } from 'zod'
import { counted } from '../counted.ts'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { projectId, systemIds } from '../inputs.ts'

export default defineTool({
  name: 'validate_version_scope',
  category: 'version-plan',
  kind: 'read',
  description:
    'Check whether game systems contain everything they require, before a version plan is made of them; what is missing comes with the way that needs it.',
  inputSchema: z.strictObject({ projectId, systemIds }),
  execute: ({ input, services }) => services.versionPlans.validateScope(input),
  describe: ({ result }) =>
    describeOutcome(
      result,
      (data) =>
        data.valid
          ? 'Checked the scope: it is complete'
          : `Checked the scope: ${counted(data.missingDependencies.length, 'missing system')}`,
      'check the scope',
    ),
  sources: ({ data }) => [
    { table: 'gameplan.game_systems', query: `project ${data.projectId}` },
    { table: 'gameplan.dependencies', query: `project ${data.projectId}` },
  ],
  examples: [
    {
      input: (demo) => ({ systemIds: [demo.crafting] }),
      gives: {
        valid: false,
        missingDependencies: [
          { slug: 'inventory', path: 'Crafting → Inventory' },
          { slug: 'character-stats', path: 'Crafting → Inventory → Character Stats' },
        ],
      },
    },
    { input: (demo) => ({ systemIds: [demo.characterStats] }), gives: { valid: true, missingDependencies: [] } },
    { input: () => ({ systemIds: [] }), refuses: 'VALIDATION' },
    { input: () => ({ systemIds: ['missing'] }), refuses: 'NOT_FOUND' },
  ],
})
