import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { id } from '../inputs.ts'

export default defineTool({
  name: 'delete_brainstorm',
  category: 'brainstorm',
  kind: 'delete',
  effect: 'transaction',
  description: 'Delete a brainstorm with the outputs that were synthesized from it; list_brainstorms shows the ids.',
  inputSchema: z.strictObject({ brainstormId: id('Id of the brainstorm to delete') }),
  preview: ({ input, services }) => services.brainstorms.impactOfDelete(input.brainstormId),
  execute: ({ input, services }) => services.brainstorms.delete(input.brainstormId),
  describe: ({ input, result }) =>
    describeOutcome(result, (data) => `Deleted brainstorm "${data.title}"`, `delete brainstorm ${input.brainstormId}`),
  examples: [
    { input: (demo) => ({ brainstormId: demo.brainstorm }), gives: { title: 'Dungeon story' } },
    { input: () => ({ brainstormId: 'missing' }), refuses: 'NOT_FOUND' },
  ],
})
