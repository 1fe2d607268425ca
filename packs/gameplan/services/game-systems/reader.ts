import { and, asc, count, desc, eq, ilike, or } from 'drizzle-orm'
import { changeLogs, dependencies, gameSystems } from '../../db/schema.ts'
import { impactOf } from '../../graph/impact.ts'
import type { Context } from '../context.ts'
import { projectGraph } from '../dependencies/project-graph.ts'
import { inScope } from '../in-scope.ts'
import { offsetOf, type PageRequest, pageOf } from '../paging.ts'
import { findProject } from '../projects/find-project.ts'
import { plansWith } from '../version-plans/plans-with.ts'
import { findSystem, type SystemRow } from './find-system.ts'
import { systemReference, systemSummary, systemView } from './system-view.ts'

export interface SystemListRequest extends PageRequest {
  projectId?: string | undefined
  status?: SystemRow['status'] | undefined
  mvpCriticality?: SystemRow['mvpCriticality'] | undefined
  /** Part of a name, slug or purpose, whatever its case. */
  search?: string | undefined
}

const newestChanges = 20

export function gameSystemReader(context: Context) {
  const { db, principal } = context
  const ofTenant = eq(changeLogs.tenantId, principal.tenantId)

  async function list(request: SystemListRequest) {
    const project = await findProject(context, request.projectId)
    const pattern = request.search === undefined ? undefined : `%${request.search.replace(/[\\%_]/g, '\\$&')}%`
    const where = and(
      eq(gameSystems.tenantId, principal.tenantId),
      eq(gameSystems.projectId, project.id),
      request.status === undefined ? undefined : eq(gameSystems.status, request.status),
      request.mvpCriticality === undefined ? undefined : eq(gameSystems.mvpCriticality, request.mvpCriticality),
      pattern === undefined
        ? undefined
        : or(
            ilike(gameSystems.name, pattern),
            ilike(gameSystems.systemSlug, pattern),
            ilike(gameSystems.purpose, pattern),
          ),
    )
    const rows = await db
      .select()
      .from(gameSystems)
      .where(where)
      .orderBy(asc(gameSystems.systemSlug))
      .limit(request.pageSize)
      .offset(offsetOf(request))
    const [all] = await db.select({ total: count() }).from(gameSystems).where(where)
    return pageOf(rows.map(systemSummary), all?.total ?? 0, request)
  }

  /** One system with what it needs, what needs it, and its newest changes. */
  async function get(systemId: string) {
    const row = await findSystem(context, systemId)
    const dependsOn = await db
      .select({ system: gameSystems, type: dependencies.type, description: dependencies.description })
      .from(dependencies)
      .innerJoin(gameSystems, eq(gameSystems.id, dependencies.targetSystemId))
      .where(and(inScope(context, dependencies), eq(dependencies.sourceSystemId, row.id)))
      .orderBy(asc(gameSystems.systemSlug))
    const dependedOnBy = await db
      .select({ system: gameSystems, type: dependencies.type, description: dependencies.description })
      .from(dependencies)
      .innerJoin(gameSystems, eq(gameSystems.id, dependencies.sourceSystemId))
      .where(and(inScope(context, dependencies), eq(dependencies.targetSystemId, row.id)))
      .orderBy(asc(gameSystems.systemSlug))
    const changes = await db
      .select()
      .from(changeLogs)
      .where(and(ofTenant, eq(changeLogs.systemId, row.id)))
      .orderBy(desc(changeLogs.position))
      .limit(newestChanges)
    return {
      ...systemView(row),
      dependsOn: dependsOn.map((edge) => ({
        ...systemReference(edge.system),
        type: edge.type,
        description: edge.description,
      })),
      dependedOnBy: dependedOnBy.map((edge) => ({
        ...systemReference(edge.system),
        type: edge.type,
        description: edge.description,
      })),
      changeLogs: changes.map((change) => ({
        version: change.version,
        changeType: change.changeType,
        summary: change.summary,
        changedFields: change.changedFields,
        author: change.author,
        createdAt: change.createdAt.toISOString(),
      })),
    }
  }

  /** What a system's deletion would take along and leave without what it needs. */
  async function impactOfDelete(systemId: string) {
    const row = await findSystem(context, systemId)
    const { systems, edges } = await projectGraph(context, row.projectId)
    const touching = edges.filter((edge) => edge.source === row.id || edge.target === row.id)
    const dependents = impactOf(row.id, edges).flatMap((hit) => {
      const system = systems.get(hit.systemId)
      return system ? [{ ...systemReference(system), reach: hit.reach, type: hit.strongest, depth: hit.depth }] : []
    })
    const plans = (await plansWith(context, row.id)).filter((plan) => plan.status === 'draft')
    const view = {
      gameSystem: systemReference(row),
      dependenciesRemoved: touching.length,
      dependents,
      draftPlansThatLoseIt: plans,
      warning: warningOf(row.name, dependents, plans.length),
    }
    const basis = {
      version: row.version,
      edges: touching.map((edge) => `${edge.source} ${edge.type} ${edge.target}`).sort(),
      plans,
    }
    return { view, basis, title: `Delete game system "${row.name}"` }
  }

  return { list, get, impactOfDelete }
}

function warningOf(name: string, dependents: readonly { name: string; type: string }[], plans: number): string {
  const broken = dependents.filter((dependent) => dependent.type === 'requires')
  const parts = [`"${name}" is deleted for good with its change log and its dependencies.`]
  if (broken.length > 0) {
    parts.push(`${broken.map((dependent) => dependent.name).join(', ')} would be left without something required.`)
  } else if (dependents.length === 0) {
    parts.push('No other system depends on it.')
  }
  if (plans > 0) parts.push(plans === 1 ? 'One draft plan loses it.' : `${plans} draft plans lose it.`)
  return parts.join(' ')
}
