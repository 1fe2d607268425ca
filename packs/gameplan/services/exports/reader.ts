import { and, count, desc, eq, sql } from 'drizzle-orm'
import { NotFoundError } from 'handrail'
import { exportDocuments } from '../../db/schema.ts'
import type { Context } from '../context.ts'
import { inScope } from '../in-scope.ts'
import { offsetOf, type PageRequest, pageOf } from '../paging.ts'
import { findProject } from '../projects/find-project.ts'

export type ExportRow = typeof exportDocuments.$inferSelect

export function exportReader(context: Context) {
  const { db, principal } = context

  /** A project's exports, newest first, without their content. */
  async function list(request: PageRequest & { projectId?: string | undefined }) {
    const project = await findProject(context, request.projectId)
    const where = and(eq(exportDocuments.tenantId, principal.tenantId), eq(exportDocuments.projectId, project.id))
    const rows = await db
      .select({
        id: exportDocuments.id,
        projectId: exportDocuments.projectId,
        exportType: exportDocuments.exportType,
        format: exportDocuments.format,
        title: exportDocuments.title,
        subjectId: exportDocuments.subjectId,
        characters: sql<number>`length(${exportDocuments.content})`,
        createdBy: exportDocuments.createdBy,
        createdAt: exportDocuments.createdAt,
      })
      .from(exportDocuments)
      .where(where)
      .orderBy(desc(exportDocuments.position))
      .limit(request.pageSize)
      .offset(offsetOf(request))
    const [all] = await db.select({ total: count() }).from(exportDocuments).where(where)
    const items = rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
    return pageOf(items, all?.total ?? 0, request)
  }

  /** One export with its content, for a view that shows or downloads it. */
  async function get(exportId: string) {
    const [row] = await db
      .select()
      .from(exportDocuments)
      .where(and(inScope(context, exportDocuments), eq(exportDocuments.id, exportId)))
    if (!row) throw new NotFoundError(`Export \`${exportId}\``, { next: 'list_exports shows the ids of the exports.' })
    return exportView(row)
  }

  return { list, get }
}

export function exportView(row: ExportRow) {
  return {
    id: row.id,
    projectId: row.projectId,
    exportType: row.exportType,
    format: row.format,
    title: row.title,
    subjectId: row.subjectId,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    content: row.content,
  }
}
