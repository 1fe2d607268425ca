import { z } from 'zod'
import { counted } from '../counted.ts'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { id, projectId } from '../inputs.ts'

export default defineTool({
  name: 'list_idea_threads',
  category: 'idea-stream',
  kind: 'read',
  description:
    'List the idea threads of a project with their ids, the latest activity first, each with how many messages this person has not read.',
  inputSchema: z.strictObject({
    projectId,
    limit: z.int().min(1).max(100).default(30).describe('How many threads'),
    cursor: id('nextCursor of the page before').optional(),
  }),
  execute: ({ input, services }) => services.ideas.listThreads(input),
  describe: ({ result }) =>
    describeOutcome(result, (data) => `Listed ${counted(data.items.length, 'idea thread')}`, 'list idea threads'),
  sources: ({ data }) => data.items.map((thread) => ({ table: 'gameplan.idea_threads', id: thread.id })),
  entities: ({ data }) => data.items.map((thread) => ({ kind: 'idea-thread', id: thread.id, title: thread.title })),
  examples: [
    {
      input: () => ({ limit: 1 }),
      gives: { items: [{ title: 'Talking monsters', unread: true, unreadCount: 2 }] },
    },
    { input: () => ({ cursor: 'missing' }), refuses: 'VALIDATION' },
  ],
})
