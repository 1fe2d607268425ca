import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { id, projectId } from '../inputs.ts'

export default defineTool({
  name: 'generate_export',
  category: 'export',
  kind: 'create',
  effect: 'transaction',
  description:
    'Generate a document from a project and keep it: gdd is the game design document, version_prd the requirements of a version plan, system_doc the document of one or all systems, roadmap the versions.',
  inputSchema: z.strictObject({
    projectId,
    exportType: z.enum(['gdd', 'version_prd', 'system_doc', 'roadmap']).describe('Which document'),
    format: z.enum(['markdown', 'html', 'json']).default('markdown').describe('Format of its content'),
    systemId: id('For system_doc: id of the one system; left out, all systems').optional(),
    planId: id('For version_prd: id of the plan; left out, the open one, else the newest').optional(),
  }),
  limits: { resultTokens: 24_000 },
  execute: ({ input, services }) => services.exports.generate(input),
  describe: ({ input, result }) =>
    describeOutcome(
      result,
      (data) => `Generated export "${data.title}" (${data.exportType}, ${data.format})`,
      `generate a ${input.exportType} export`,
    ),
  entities: ({ data }) => [{ kind: 'export', id: data.id, title: data.title }],
  examples: [
    {
      input: () => ({ exportType: 'gdd' }),
      gives: { exportType: 'gdd', format: 'markdown', title: 'Dungeon Crawler: Game Design Document' },
    },
    {
      input: (demo) => ({ exportType: 'system_doc', systemId: demo.inventory, format: 'json' }),
      gives: { exportType: 'system_doc', format: 'json', title: 'Inventory' },
    },
    { input: () => ({ exportType: 'novel' }), refuses: 'VALIDATION' },
    { input: () => ({ exportType: 'system_doc', systemId: 'missing' }), refuses: 'NOT_FOUND' },
  ],
})
