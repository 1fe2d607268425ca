import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { NotFoundError } from 'handrail'
import { brainstorms } from '../../db/schema.ts'
import { recordActivity } from '../activity/record-activity.ts'
import type { Context } from '../context.ts'
import { holdProject } from '../projects/find-project.ts'
import { type BrainstormRow, brainstormView, findBrainstorm } from './reader.ts'

export interface NewBrainstorm {
  projectId?: string | undefined
  title: string
  content: string
  /** Who had the ideas; without it, the person whose hand it is. */
  author?: string | undefined
  source: BrainstormRow['source']
  tags?: readonly string[] | undefined
}

export function brainstormWriter(context: Context) {
  const { db, principal } = context

  async function create({ projectId, ...fields }: NewBrainstorm) {
    const project = await holdProject(context, projectId, 'share')
    return brainstormView(await insertBrainstorm(context, project.id, fields))
  }

  /** Deletes a brainstorm with the outputs made of it. */
  async function remove(brainstormId: string) {
    const { projectId } = await findBrainstorm(context, brainstormId)
    await holdProject(context, projectId, 'share')
    const row = await findBrainstorm(context, brainstormId)
    await db.delete(brainstorms).where(and(eq(brainstorms.tenantId, principal.tenantId), eq(brainstorms.id, row.id)))
    await recordActivity(context, {
      projectId: row.projectId,
      thingType: 'brainstorm',
      thingId: row.id,
      change: 'deleted',
      label: row.title,
    })
    return { id: row.id, title: row.title }
  }

  return { create, delete: remove }
}

/** Stores a brainstorm, and where its ideas came from when they came out of idea threads. */
export async function insertBrainstorm(
  context: Context,
  projectId: string,
  {
    author,
    tags,
    sourceThreadIds,
    ...fields
  }: Omit<NewBrainstorm, 'projectId'> & { sourceThreadIds?: readonly string[] },
): Promise<BrainstormRow> {
  const { db, principal } = context
  const [row] = await db
    .insert(brainstorms)
    .values({
      id: randomUUID(),
      tenantId: principal.tenantId,
      projectId,
      createdBy: principal.userId,
      author: author ?? principal.userId,
      tags: [...(tags ?? [])],
      sourceThreadIds: [...(sourceThreadIds ?? [])],
      ...fields,
    })
    .returning()
  if (!row) throw new NotFoundError('The new brainstorm')
  await recordActivity(context, {
    projectId,
    thingType: 'brainstorm',
    thingId: row.id,
    change: fields.source === 'idea-stream' ? 'finalized' : 'created',
    label: row.title,
  })
  return row
}
