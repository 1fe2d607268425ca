import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { content, longInputBytes, projectId } from '../inputs.ts'

export default defineTool({
  name: 'import_system_from_markdown',
  category: 'game-system',
  kind: 'create',
  effect: 'transaction',
  description:
    'Create a game system from a markdown document whose H1 is its name and that has a section "System ID" with its slug; a system_doc export shows the other sections.',
  inputSchema: z.strictObject({ projectId, markdown: content('The document', 200_000) }),
  limits: { inputBytes: longInputBytes },
  execute: ({ input, services }) => services.gameSystems.importFromMarkdown(input),
  describe: ({ result }) =>
    describeOutcome(
      result,
      (data) => `Imported game system "${data.name}" (${data.systemSlug})`,
      'import a game system from markdown',
    ),
  entities: ({ data }) => [{ kind: 'game-system', id: data.id, title: data.name }],
  examples: [
    {
      input: () => ({
        markdown:
          '# Weather\n\n## System ID\n\nweather\n\n## Version\n\nv0.3\n\n## Purpose\n\nChanges what heroes can see.\n\n## Dependencies\n\n- enhances fog-of-war: Rain shortens sight.\n',
      }),
      gives: {
        name: 'Weather',
        systemSlug: 'weather',
        version: 'v0.3',
        purpose: 'Changes what heroes can see.',
        dependenciesAdded: [{ type: 'enhances', slug: 'fog-of-war' }],
      },
    },
    { input: () => ({ markdown: 'Weather changes what heroes can see.' }), refuses: 'VALIDATION' },
    { input: () => ({ markdown: '# Inventory again\n\n## System ID\n\ninventory\n' }), refuses: 'CONFLICT' },
  ],
})
