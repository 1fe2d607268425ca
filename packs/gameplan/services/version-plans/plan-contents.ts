import { and, eq } from 'drizzle-orm'
import { versionPlanItems } from '../../db/schema.ts'
import { implementationOrder } from '../../graph/implementation-order.ts'
import type { Context } from '../context.ts'
import { projectGraph } from '../dependencies/project-graph.ts'
import { graphNode } from '../game-systems/system-view.ts'
import type { PlanRow } from './find-plan.ts'
import type { PlanSnapshot } from './plan-snapshot.ts'

/** What a plan contains: a finalized one its snapshot, a draft its systems as they stand now. */
export async function planContents(context: Context, plan: PlanRow): Promise<PlanSnapshot> {
  if (plan.snapshot) return plan.snapshot
  const items = await context.db
    .select({ systemId: versionPlanItems.systemId })
    .from(versionPlanItems)
    .where(and(eq(versionPlanItems.tenantId, context.principal.tenantId), eq(versionPlanItems.planId, plan.id)))
  const chosen = new Set(items.map((item) => item.systemId))
  const graph = await projectGraph(context, plan.projectId)
  return snapshotOf(graph, chosen)
}

/** The chosen systems in the order to build them in, each with its phase, and the dependencies between them. */
export function snapshotOf(
  { systems, edges }: Awaited<ReturnType<typeof projectGraph>>,
  chosen: ReadonlySet<string>,
): PlanSnapshot {
  const nodes = [...systems.values()].filter((row) => chosen.has(row.id)).map(graphNode)
  const { order, layers, leftOver } = implementationOrder(nodes, edges)
  const phaseOf = new Map(layers.flatMap((layer, index) => layer.map((id) => [id, index + 1] as const)))
  return {
    systems: [...order, ...leftOver].flatMap((id) => {
      const row = systems.get(id)
      if (!row) return []
      const { projectId: _project, tenantId: _tenant, createdAt: _created, updatedAt: _updated, ...kept } = row
      return [{ ...kept, phase: phaseOf.get(id) ?? layers.length + 1 }]
    }),
    dependencies: edges
      .filter((edge) => chosen.has(edge.source) && chosen.has(edge.target))
      .map((edge) => ({
        sourceSystemId: edge.source,
        targetSystemId: edge.target,
        type: edge.type,
        description: edge.description,
      })),
  }
}
