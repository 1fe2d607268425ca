import { z } from 'zod'
import { counted } from '../counted.ts'
import { defineTool } from '../define-tool.ts'
import { describeOutcome } from '../describe-outcome.ts'
import { projectId } from '../inputs.ts'

export default defineTool({
  name: 'get_dependency_graph',
  category: 'dependency',
  kind: 'read',
  description:
    'Get the dependency graph of a project, in which an edge reads "source needs target", with the order and the layers to build its systems in, circles, the critical path and orphans.',
  inputSchema: z.strictObject({ projectId }),
  execute: ({ input, services }) => services.dependencies.graph(input.projectId),
  describe: ({ result }) =>
    describeOutcome(
      result,
      (data) =>
        `Read the dependency graph: ${counted(data.nodes.length, 'system')}, ${counted(data.edges.length, 'dependency')}`,
      'read the dependency graph',
    ),
  sources: ({ data }) => [
    { table: 'gameplan.game_systems', query: `project ${data.projectId}` },
    { table: 'gameplan.dependencies', query: `project ${data.projectId}` },
  ],
  examples: [
    { input: () => ({}), gives: { hasCycles: false, orphans: ['old-prototype'] } },
    { input: () => ({ projectId: 'missing' }), scope: () => ({}), refuses: 'NOT_FOUND' },
  ],
})
