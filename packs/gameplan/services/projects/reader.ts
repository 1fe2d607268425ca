import { and, asc, count, eq } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import {
  brainstorms,
  dependencies,
  exportDocuments,
  gameSystems,
  ideaThreads,
  projects,
  synthesizedOutputs,
  versionPlans,
} from '../../db/schema.ts'
import type { Context } from '../context.ts'
import { offsetOf, type PageRequest, pageOf } from '../paging.ts'
import { findProject, type ProjectRow } from './find-project.ts'
import { projectView } from './project-view.ts'

export type ProjectStatus = ProjectRow['status']

export function projectReader(context: Context) {
  const { db, principal } = context

  /** The workspace's projects by name, whatever the conversation is about. */
  async function list(request: PageRequest & { status?: ProjectStatus | undefined }) {
    const where = and(
      eq(projects.tenantId, principal.tenantId),
      request.status === undefined ? undefined : eq(projects.status, request.status),
    )
    const rows = await db
      .select()
      .from(projects)
      .where(where)
      .orderBy(asc(projects.name), asc(projects.id))
      .limit(request.pageSize)
      .offset(offsetOf(request))
    const [all] = await db.select({ total: count() }).from(projects).where(where)
    return pageOf(rows.map(projectView), all?.total ?? 0, request)
  }

  /** One project with the counts of its dashboard. */
  async function get(projectId?: string) {
    const row = await findProject(context, projectId)
    return { ...projectView(row), counts: await counts(row.id) }
  }

  async function counts(projectId: string) {
    const countOf = async (table: PgTable & { tenantId: AnyPgColumn; projectId: AnyPgColumn }) => {
      const [row] = await db
        .select({ total: count() })
        .from(table)
        .where(and(eq(table.tenantId, principal.tenantId), eq(table.projectId, projectId)))
      return row?.total ?? 0
    }
    const [outputs] = await db
      .select({ total: count() })
      .from(synthesizedOutputs)
      .innerJoin(brainstorms, eq(brainstorms.id, synthesizedOutputs.brainstormId))
      .where(and(eq(brainstorms.tenantId, principal.tenantId), eq(brainstorms.projectId, projectId)))
    return {
      gameSystems: await countOf(gameSystems),
      dependencies: await countOf(dependencies),
      brainstorms: await countOf(brainstorms),
      synthesizedOutputs: outputs?.total ?? 0,
      versionPlans: await countOf(versionPlans),
      ideaThreads: await countOf(ideaThreads),
      exports: await countOf(exportDocuments),
    }
  }

  /** What would go with a project, for the person who is asked about its deletion. */
  async function impactOfDelete(projectId?: string) {
    const { id, name, counts } = await get(projectId)
    const view = {
      project: { id, name },
      goesWithIt: counts,
      warning: `Everything in "${name}" is deleted for good, finalized plans and exports included.`,
    }
    return { view, basis: view, title: `Delete project "${name}"` }
  }

  return { list, get, impactOfDelete }
}
