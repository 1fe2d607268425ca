import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { id } from '../inputs.ts'

export default defineTool({
  name: 'get_brainstorm',
  category: 'brainstorm',
  kind: 'read',
  description:
    'Get a brainstorm with its content and the outputs that were synthesized from it; list_brainstorms shows the ids.',
  inputSchema: z.strictObject({ brainstormId: id('Id of the brainstorm') }),
  execute: ({ input, services }) => services.brainstorms.get(input.brainstormId),
  describe: ({ input, result }) =>
    describeOutcome(result, (data) => `Read brainstorm "${data.title}"`, `read brainstorm ${input.brainstormId}`),
  sources: ({ data }) => [
    { table: 'gameplan.brainstorms', id: data.id },
    ...data.synthesizedOutputs.map((output) => ({ table: 'gameplan.synthesized_outputs', id: output.id })),
  ],
  entities: ({ data }) => [{ kind: 'brainstorm', id: data.id, title: data.title }],
  examples: [
    {
      input: (demo) => ({ brainstormId: demo.brainstorm }),
      gives: {
        title: 'Dungeon story',
        synthesizedOutputs: [{ title: 'The Town Below', status: 'accepted' }],
      },
    },
    { input: () => ({ brainstormId: 'missing' }), refuses: 'NOT_FOUND' },
  ],
})
