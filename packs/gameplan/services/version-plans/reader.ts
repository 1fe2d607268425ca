import { and, count, desc, eq } from 'drizzle-orm'
import { counted } from '../../counted.ts'
import { versionPlans } from '../../db/schema.ts'
import type { Context } from '../context.ts'
import { findSystems } from '../game-systems/find-system.ts'
import { offsetOf, type PageRequest, pageOf } from '../paging.ts'
import { findProject } from '../projects/find-project.ts'
import { findDraft, findPlan } from './find-plan.ts'
import { planContents } from './plan-contents.ts'
import { planSummary, planView } from './plan-view.ts'
import { reportScope } from './scope-report.ts'

export function versionPlanReader(context: Context) {
  const { db, principal } = context

  /** A project's plans, newest first. */
  async function list(request: PageRequest & { projectId?: string | undefined }) {
    const project = await findProject(context, request.projectId)
    const where = and(eq(versionPlans.tenantId, principal.tenantId), eq(versionPlans.projectId, project.id))
    const rows = await db
      .select()
      .from(versionPlans)
      .where(where)
      .orderBy(desc(versionPlans.createdAt), desc(versionPlans.versionLabel))
      .limit(request.pageSize)
      .offset(offsetOf(request))
    const [all] = await db.select({ total: count() }).from(versionPlans).where(where)
    return pageOf(rows.map(planSummary), all?.total ?? 0, request)
  }

  async function get(planId: string) {
    const row = await findPlan(context, planId)
    return planView(row, await planContents(context, row))
  }

  /** Whether these systems have everything they require among them. */
  async function validateScope(request: { projectId?: string | undefined; systemIds: readonly string[] }) {
    const project = await findProject(context, request.projectId)
    await findSystems(context, project.id, request.systemIds)
    return { projectId: project.id, ...(await reportScope(context, project.id, request.systemIds)) }
  }

  /** What finalizing a plan would freeze. */
  async function previewOfFinalize(planId: string) {
    const row = await findDraft(context, planId)
    const contents = await planContents(context, row)
    const report = await reportScope(
      context,
      row.projectId,
      contents.systems.map((system) => system.id),
    )
    const view = {
      versionPlan: { id: row.id, versionLabel: row.versionLabel, title: row.title },
      systems: contents.systems.map((system) => ({
        slug: system.systemSlug,
        name: system.name,
        version: system.version,
        phase: system.phase,
      })),
      missingDependencies: report.missingDependencies,
      warning: `"${row.title}" (${row.versionLabel}) becomes an immutable snapshot of ${counted(contents.systems.length, 'system')}. This cannot be undone.`,
    }
    return {
      view,
      basis: { systems: view.systems, dependencies: contents.dependencies },
      title: `Finalize version plan "${row.title}" (${row.versionLabel})`,
    }
  }

  /** What goes with a draft. */
  async function impactOfDelete(planId: string) {
    const row = await findDraft(context, planId)
    const contents = await planContents(context, row)
    const view = {
      versionPlan: { id: row.id, versionLabel: row.versionLabel, title: row.title },
      systems: contents.systems.map((system) => system.name),
      warning: `The draft "${row.title}" (${row.versionLabel}) is deleted for good. Its systems stay.`,
    }
    return { view, basis: view, title: `Delete version plan "${row.title}" (${row.versionLabel})` }
  }

  return { list, get, validateScope, previewOfFinalize, impactOfDelete }
}
