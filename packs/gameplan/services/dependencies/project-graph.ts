import { and, asc, eq } from 'drizzle-orm'
import { dependencies, gameSystems } from '../../db/schema.ts'
import type { Edge } from '../../graph/edge.ts'
import type { Context } from '../context.ts'
import type { SystemRow } from '../game-systems/find-system.ts'

export interface StoredEdge extends Edge {
  description: string | null
}

/** A project's systems (by slug) and the edges between them, in an order that depends on slugs only. */
export async function projectGraph(
  { db, principal }: Context,
  projectId: string,
): Promise<{ systems: Map<string, SystemRow>; edges: StoredEdge[] }> {
  const rows = await db
    .select()
    .from(gameSystems)
    .where(and(eq(gameSystems.tenantId, principal.tenantId), eq(gameSystems.projectId, projectId)))
    .orderBy(asc(gameSystems.systemSlug))
  const systems = new Map(rows.map((row) => [row.id, row]))
  const rank = new Map(rows.map((row, index) => [row.id, index]))
  const stored = await db
    .select({
      source: dependencies.sourceSystemId,
      target: dependencies.targetSystemId,
      type: dependencies.type,
      description: dependencies.description,
    })
    .from(dependencies)
    .where(and(eq(dependencies.tenantId, principal.tenantId), eq(dependencies.projectId, projectId)))
  const edges = stored.sort(
    (a, b) =>
      (rank.get(a.source) ?? 0) - (rank.get(b.source) ?? 0) || (rank.get(a.target) ?? 0) - (rank.get(b.target) ?? 0),
  )
  return { systems, edges }
}
