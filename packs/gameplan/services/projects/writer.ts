import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { InvalidInputError, NotFoundError } from 'handrail'
import { projects } from '../../db/schema.ts'
import { recordActivity } from '../activity/record-activity.ts'
import type { Context } from '../context.ts'
import { givenFields } from '../given-fields.ts'
import { holdProject } from './find-project.ts'
import { projectView } from './project-view.ts'
import type { ProjectStatus } from './reader.ts'

export interface ProjectFields {
  name: string
  description?: string | undefined
  genre?: string | undefined
  platform?: string | undefined
  status: ProjectStatus
}

export function projectWriter(context: Context) {
  const { db, principal } = context

  async function create(fields: ProjectFields) {
    const { name, status, ...texts } = fields
    const [row] = await db
      .insert(projects)
      .values({
        id: randomUUID(),
        tenantId: principal.tenantId,
        createdBy: principal.userId,
        name,
        status,
        ...givenFields(texts),
      })
      .returning()
    if (!row) throw new NotFoundError('The new project')
    await recordActivity(context, {
      projectId: row.id,
      thingType: 'project',
      thingId: row.id,
      change: 'created',
      label: row.name,
    })
    return projectView(row)
  }

  /** Changes the named fields; an empty text clears its field. */
  async function update({ projectId, ...fields }: Partial<ProjectFields> & { projectId?: string | undefined }) {
    const { name, status, ...texts } = fields
    const changes = {
      ...givenFields(texts),
      ...(name === undefined ? {} : { name }),
      ...(status === undefined ? {} : { status }),
    }
    if (Object.keys(changes).length === 0) {
      throw new InvalidInputError('There is nothing to change', {
        next: 'Give at least one of name, description, genre, platform, status.',
      })
    }
    const project = await holdProject(context, projectId, 'rule')
    const [row] = await db
      .update(projects)
      .set({ ...changes, updatedAt: sql`now()` })
      .where(and(eq(projects.tenantId, principal.tenantId), eq(projects.id, project.id)))
      .returning()
    if (!row) throw new NotFoundError('The project')
    await recordActivity(context, {
      projectId: row.id,
      thingType: 'project',
      thingId: row.id,
      change: 'updated',
      label: row.name,
    })
    return projectView(row)
  }

  /** Deletes a project with everything in it. */
  async function remove(projectId?: string) {
    const project = await holdProject(context, projectId, 'delete')
    await db.delete(projects).where(and(eq(projects.tenantId, principal.tenantId), eq(projects.id, project.id)))
    return { id: project.id, name: project.name }
  }

  return { create, update, delete: remove }
}
