import { and, asc, count, desc, eq } from 'drizzle-orm'
import { NotFoundError } from 'handrail'
import { counted } from '../../counted.ts'
import { brainstorms, synthesizedOutputs } from '../../db/schema.ts'
import type { Context } from '../context.ts'
import { inScope } from '../in-scope.ts'
import { offsetOf, type PageRequest, pageOf } from '../paging.ts'
import { findProject } from '../projects/find-project.ts'

export type BrainstormRow = typeof brainstorms.$inferSelect

export function brainstormReader(context: Context) {
  const { db, principal } = context

  /** A project's brainstorms, newest first, without their content. */
  async function list(request: PageRequest & { projectId?: string | undefined }) {
    const project = await findProject(context, request.projectId)
    const where = and(eq(brainstorms.tenantId, principal.tenantId), eq(brainstorms.projectId, project.id))
    const rows = await db
      .select()
      .from(brainstorms)
      .where(where)
      .orderBy(desc(brainstorms.createdAt), asc(brainstorms.title), asc(brainstorms.id))
      .limit(request.pageSize)
      .offset(offsetOf(request))
    const [all] = await db.select({ total: count() }).from(brainstorms).where(where)
    return pageOf(rows.map(brainstormSummary), all?.total ?? 0, request)
  }

  /** One brainstorm with its content and what was made of it. */
  async function get(brainstormId: string) {
    const row = await findBrainstorm(context, brainstormId)
    const outputs = await outputsOf(row.id)
    return {
      ...brainstormView(row),
      synthesizedOutputs: outputs.map(({ id, title, status, content }) => ({ id, title, status, content })),
    }
  }

  function outputsOf(brainstormId: string) {
    return db
      .select()
      .from(synthesizedOutputs)
      .where(
        and(eq(synthesizedOutputs.tenantId, principal.tenantId), eq(synthesizedOutputs.brainstormId, brainstormId)),
      )
      .orderBy(asc(synthesizedOutputs.title), asc(synthesizedOutputs.id))
  }

  /** What goes with a brainstorm. */
  async function impactOfDelete(brainstormId: string) {
    const row = await findBrainstorm(context, brainstormId)
    const outputs = await outputsOf(row.id)
    const view = {
      brainstorm: { id: row.id, title: row.title, author: row.author },
      synthesizedOutputs: outputs.map((output) => output.title),
      warning: `"${row.title}" is deleted for good, with ${counted(outputs.length, 'output')} made of it.`,
    }
    return { view, basis: view, title: `Delete brainstorm "${row.title}"` }
  }

  return { list, get, impactOfDelete }
}

/** Reads one brainstorm. Another workspace's, another project's and a missing one are the same `NotFoundError`. */
export async function findBrainstorm(context: Context, brainstormId: string): Promise<BrainstormRow> {
  const [row] = await context.db
    .select()
    .from(brainstorms)
    .where(and(inScope(context, brainstorms), eq(brainstorms.id, brainstormId)))
  if (row) return row
  throw new NotFoundError(`Brainstorm \`${brainstormId}\``, {
    next: 'list_brainstorms shows the ids of the brainstorms of this project.',
  })
}

function brainstormSummary(row: BrainstormRow) {
  return {
    id: row.id,
    projectId: row.projectId,
    title: row.title,
    source: row.source,
    author: row.author,
    tags: row.tags,
    createdAt: row.createdAt.toISOString(),
  }
}

/** A brainstorm with its content. */
export function brainstormView(row: BrainstormRow) {
  return { ...brainstormSummary(row), sourceThreadIds: row.sourceThreadIds, content: row.content }
}
