import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { ConflictError, InvalidInputError, NotFoundError } from 'handrail'
import { dependencies } from '../../db/schema.ts'
import { checkCycle } from '../../graph/cycle-check.ts'
import type { EdgeType } from '../../graph/edge.ts'
import { recordActivity } from '../activity/record-activity.ts'
import type { Context } from '../context.ts'
import { findSystem, findSystemHeld, type SystemRow } from '../game-systems/find-system.ts'
import { systemReference } from '../game-systems/system-view.ts'
import { inScope } from '../in-scope.ts'
import { projectGraph } from './project-graph.ts'

export interface NewDependency {
  /** The system that needs the other. */
  sourceSystemId: string
  /** The system that is needed. */
  targetSystemId: string
  dependencyType: EdgeType
  description?: string | undefined
}

export function dependencyWriter(context: Context) {
  const { db, principal } = context

  /**
   * Adds "source needs target".
   *
   * @throws InvalidInputError for a system that would need itself, or systems of two projects
   * @throws ConflictError when the pair is linked already, or `requires` would close a circle (with its path)
   */
  async function add({ sourceSystemId, targetSystemId, dependencyType, description }: NewDependency) {
    const { source, target } = await holdPair(sourceSystemId, targetSystemId)
    if (source.id === target.id) {
      throw new InvalidInputError(`"${source.name}" cannot depend on itself`, { next: 'Name two different systems.' })
    }
    if (source.projectId !== target.projectId) {
      throw new InvalidInputError(`"${source.name}" and "${target.name}" belong to different projects`, {
        next: 'Link systems of one project; list_game_systems shows what it has.',
      })
    }
    const { warning } = await refuseCycle(source, target, dependencyType)
    const [row] = await db
      .insert(dependencies)
      .values({
        id: randomUUID(),
        tenantId: principal.tenantId,
        projectId: source.projectId,
        sourceSystemId: source.id,
        targetSystemId: target.id,
        type: dependencyType,
        description: description === '' ? null : description,
      })
      .onConflictDoNothing({ target: [dependencies.sourceSystemId, dependencies.targetSystemId] })
      .returning()
    if (!row) {
      throw new ConflictError(`"${source.name}" already depends on "${target.name}"`, {
        next: 'To change its type, take it out with remove_dependency first, then add it again.',
      })
    }
    await recordActivity(context, {
      projectId: row.projectId,
      thingType: 'dependency',
      thingId: row.id,
      change: 'added',
      label: `${source.name} ${row.type} ${target.name}`,
    })
    return {
      id: row.id,
      type: row.type,
      description: row.description,
      source: systemReference(source),
      target: systemReference(target),
      ...(warning === undefined ? {} : { warning }),
    }
  }

  /** Reads two systems and holds the source's project: from then on neither they nor their edges change. */
  async function holdPair(sourceSystemId: string, targetSystemId: string) {
    const source = await findSystemHeld(context, sourceSystemId, 'rule')
    const target = await findSystem(context, targetSystemId)
    return { source, target }
  }

  async function refuseCycle(source: SystemRow, target: SystemRow, type: EdgeType): Promise<{ warning?: string }> {
    const { systems, edges } = await projectGraph(context, source.projectId)
    const others = edges.filter((edge) => edge.source !== source.id || edge.target !== target.id)
    const check = checkCycle({ source: source.id, target: target.id, type }, others)
    if (check.kind === 'none') return {}
    const path = check.path.map((id) => systems.get(id)?.name ?? id).join(' → ')
    if (check.kind === 'hard') {
      throw new ConflictError(`This would close a circle of requirements: ${path}`, {
        next: 'Remove one of these dependencies first, or add it as `enhances` or `optional`.',
        details: { path: check.path },
      })
    }
    return { warning: `This closes a circle that is not of requirements only: ${path}` }
  }

  /** Removes the edge between two systems, whatever its type. */
  async function remove({ sourceSystemId, targetSystemId }: Pick<NewDependency, 'sourceSystemId' | 'targetSystemId'>) {
    const { source, target } = await holdPair(sourceSystemId, targetSystemId)
    const [row] = await db
      .delete(dependencies)
      .where(
        and(
          inScope(context, dependencies),
          eq(dependencies.sourceSystemId, source.id),
          eq(dependencies.targetSystemId, target.id),
        ),
      )
      .returning()
    if (!row) {
      throw new NotFoundError(`A dependency of "${source.name}" on "${target.name}"`, {
        next: 'get_dependency_graph shows all dependencies; the source is the system that needs the other.',
      })
    }
    await recordActivity(context, {
      projectId: row.projectId,
      thingType: 'dependency',
      thingId: row.id,
      change: 'removed',
      label: `${source.name} ${row.type} ${target.name}`,
    })
    return { id: row.id, type: row.type, source: systemReference(source), target: systemReference(target) }
  }

  return { add, remove }
}
