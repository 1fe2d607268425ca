import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { line, projectId, projectStatus } from '../inputs.ts'

export default defineTool({
  name: 'update_project',
  category: 'project',
  kind: 'update',
  effect: 'transaction',
  description: 'Change the name, description, genre, platform or status of a project; what is left out stays as it is.',
  inputSchema: z.strictObject({
    projectId,
    name: line('New name').optional(),
    description: z.string().max(20_000).describe('New description; empty removes it').optional(),
    genre: z.string().max(200).describe('New genre; empty removes it').optional(),
    platform: z.string().max(200).describe('New platforms; empty removes them').optional(),
    status: projectStatus.describe('New status').optional(),
  }),
  execute: ({ input, services }) => services.projects.update(input),
  describe: ({ result }) => describeOutcome(result, (data) => `Updated project "${data.name}"`, 'update the project'),
  entities: ({ data }) => [{ kind: 'project', id: data.id, title: data.name }],
  examples: [
    { input: () => ({ platform: 'PC, Switch' }), gives: { name: 'Dungeon Crawler', platform: 'PC, Switch' } },
    { input: () => ({}), refuses: 'VALIDATION' },
  ],
})
