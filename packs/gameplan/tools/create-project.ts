import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { line, projectStatus } from '../inputs.ts'

export default defineTool({
  name: 'create_project',
  category: 'project',
  kind: 'create',
  effect: 'transaction',
  description: 'Create a project in this workspace.',
  inputSchema: z.strictObject({
    name: line('Name of the project'),
    description: z.string().max(20_000).describe('What the game is about').optional(),
    genre: z.string().max(200).describe('Genre of the game').optional(),
    platform: z.string().max(200).describe('Platforms it is made for').optional(),
    status: projectStatus.default('ideation').describe('Where the project stands'),
  }),
  execute: ({ input, services }) => services.projects.create(input),
  describe: ({ input, result }) =>
    describeOutcome(result, (data) => `Created project "${data.name}"`, `create project "${input.name}"`),
  entities: ({ data }) => [{ kind: 'project', id: data.id, title: data.name }],
  examples: [
    {
      input: () => ({ name: 'Star Courier', genre: 'Racing' }),
      gives: { name: 'Star Courier', genre: 'Racing', status: 'ideation' },
    },
    { input: () => ({ name: ' ' }), refuses: 'VALIDATION' },
    { as: 'carol', input: () => ({ name: 'Star Courier' }), refuses: 'FORBIDDEN' },
  ],
})
