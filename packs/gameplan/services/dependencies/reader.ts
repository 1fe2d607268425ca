import { impactOf } from '../../graph/impact.ts'
import { criticalPath, implementationOrder, orphansOf } from '../../graph/implementation-order.ts'
import { findCycles } from '../../graph/strongly-connected.ts'
import type { Context } from '../context.ts'
import { findSystem } from '../game-systems/find-system.ts'
import { graphNode, systemReference } from '../game-systems/system-view.ts'
import { findProject } from '../projects/find-project.ts'
import { plansWith } from '../version-plans/plans-with.ts'
import { projectGraph } from './project-graph.ts'

export function dependencyReader(context: Context) {
  /** The whole graph of a project, with the order to build its systems in. */
  async function graph(projectId?: string) {
    const project = await findProject(context, projectId)
    const { systems, edges } = await projectGraph(context, project.id)
    const nodes = [...systems.values()].map(graphNode)
    const ids = nodes.map((node) => node.id)
    const { order, layers, leftOver } = implementationOrder(nodes, edges)
    const cycles = findCycles(ids, edges)
    const slugsOf = (path: readonly string[]) => path.map((id) => systems.get(id)?.systemSlug ?? id)
    return {
      projectId: project.id,
      nodes: nodes.map((node) => ({
        ...node,
        label: systems.get(node.id)?.name ?? node.slug,
        status: systems.get(node.id)?.status,
      })),
      edges,
      implementationOrder: order.flatMap((id) => {
        const system = systems.get(id)
        return system ? [systemReference(system)] : []
      }),
      layers: layers.map(slugsOf),
      criticalPath: slugsOf(criticalPath(nodes, edges)),
      orphans: slugsOf(orphansOf(nodes, edges)),
      hasCycles: cycles.length > 0,
      cycles: cycles.map((cycle) => ({ path: slugsOf(cycle.path), hard: cycle.hard })),
      withoutOrder: slugsOf(leftOver),
    }
  }

  /** What would feel a change or the removal of a system, nearest first. */
  async function impact(systemId: string) {
    const row = await findSystem(context, systemId)
    const { systems, edges } = await projectGraph(context, row.projectId)
    const nameOf = (id: string) => systems.get(id)?.name ?? id
    const affected = impactOf(row.id, edges).flatMap((hit) => {
      const system = systems.get(hit.systemId)
      if (!system) return []
      return [
        {
          systemId: hit.systemId,
          slug: system.systemSlug,
          name: system.name,
          depth: hit.depth,
          reach: hit.reach,
          strongest: hit.strongest,
          path: hit.path.map(nameOf).join(' → '),
        },
      ]
    })
    return {
      system: systemReference(row),
      affected,
      direct: affected.filter((hit) => hit.reach === 'direct').length,
      transitive: affected.filter((hit) => hit.reach === 'transitive').length,
      versionPlans: await plansWith(context, row.id),
    }
  }

  return { graph, impact }
}
