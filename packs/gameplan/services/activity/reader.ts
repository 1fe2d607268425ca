import { and, desc, eq, lt } from 'drizzle-orm'
import { InvalidInputError } from 'handrail'
import { activities } from '../../db/schema.ts'
import type { Context } from '../context.ts'
import { findProject } from '../projects/find-project.ts'

export interface ActivityRequest {
  projectId?: string | undefined
  limit: number
  /** `nextCursor` of the page before. */
  cursor?: string | undefined
}

export function activityReader(context: Context) {
  const { db, principal } = context

  /** Position of the line a cursor stands for: a cursor is the id of the last line shown. */
  async function positionOf(projectId: string, cursor: string): Promise<number> {
    const [row] = await db
      .select({ position: activities.position })
      .from(activities)
      .where(
        and(
          eq(activities.tenantId, principal.tenantId),
          eq(activities.projectId, projectId),
          eq(activities.id, cursor),
        ),
      )
    if (row) return row.position
    throw new InvalidInputError('`cursor` is not one of this feed', {
      next: 'Use `nextCursor` of the page before as it is, or leave `cursor` out to start with the newest.',
    })
  }

  /** What happened in a project, newest first. */
  async function feed(request: ActivityRequest) {
    const project = await findProject(context, request.projectId)
    const before = request.cursor === undefined ? undefined : await positionOf(project.id, request.cursor)
    const rows = await db
      .select()
      .from(activities)
      .where(
        and(
          eq(activities.tenantId, principal.tenantId),
          eq(activities.projectId, project.id),
          before === undefined ? undefined : lt(activities.position, before),
        ),
      )
      .orderBy(desc(activities.position))
      .limit(request.limit + 1)
    const shown = rows.slice(0, request.limit)
    const items = shown.map((row) => ({
      id: row.id,
      type: row.thingType,
      thingId: row.thingId,
      change: row.change,
      label: row.label,
      by: row.userId,
      actor: row.actor,
      occurredAt: row.occurredAt.toISOString(),
    }))
    const last = shown.at(-1)
    return { projectId: project.id, items, ...(rows.length > shown.length && last ? { nextCursor: last.id } : {}) }
  }

  return { feed }
}
