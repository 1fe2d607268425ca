import { z } from 'zod'
import { counted } from '../counted.ts'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { line, projectId, systemIds } from '../inputs.ts'

export default defineTool({
  name: 'create_version_plan',
  category: 'version-plan',
  kind: 'create',
  effect: 'transaction',
  description:
    'Create a draft of a version from game systems, which together have to contain everything they require; validate_version_scope tells what is missing.',
  inputSchema: z.strictObject({
    projectId,
    versionLabel: line('Label of the version, unique in the project, like v0.2', 50),
    title: line('Title of the version'),
    description: z.string().max(20_000).describe('What the version is for').optional(),
    systemIds,
  }),
  execute: ({ input, services }) => services.versionPlans.create(input),
  describe: ({ input, result }) =>
    describeOutcome(
      result,
      (data) =>
        `Created version plan "${data.title}" (${data.versionLabel}) with ${counted(data.systems.length, 'system')}`,
      `create version plan "${input.title}" (${input.versionLabel})`,
    ),
  entities: ({ data }) => [{ kind: 'version-plan', id: data.id, title: data.versionLabel }],
  examples: [
    {
      input: (demo) => ({
        versionLabel: 'v0.3',
        title: 'Workshop',
        systemIds: [demo.crafting, demo.inventory, demo.characterStats],
      }),
      gives: { versionLabel: 'v0.3', status: 'draft', phases: [{ phase: 1 }, { phase: 2 }, { phase: 3 }] },
    },
    {
      input: (demo) => ({ versionLabel: 'v0.3', title: 'Workshop', systemIds: [demo.crafting] }),
      refuses: 'VALIDATION',
    },
    {
      input: (demo) => ({ versionLabel: 'v0.2', title: 'Again', systemIds: [demo.characterStats] }),
      refuses: 'CONFLICT',
    },
    {
      input: (demo) => ({ versionLabel: 'v0.3', title: 'Mixed', systemIds: [demo.otherSystem] }),
      refuses: 'NOT_FOUND',
    },
  ],
})
