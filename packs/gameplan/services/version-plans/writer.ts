import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { ConflictError, InvalidInputError, NotFoundError } from 'handrail'
import { versionPlanItems, versionPlans } from '../../db/schema.ts'
import { recordActivity } from '../activity/record-activity.ts'
import type { Context } from '../context.ts'
import { findSystems } from '../game-systems/find-system.ts'
import { holdProject } from '../projects/find-project.ts'
import { findDraft, findPlan, type PlanRow } from './find-plan.ts'
import { planContents } from './plan-contents.ts'
import { planView } from './plan-view.ts'
import { missingInWords, reportScope } from './scope-report.ts'

export interface NewPlan {
  projectId?: string | undefined
  versionLabel: string
  title: string
  description?: string | undefined
  systemIds: readonly string[]
}

export function versionPlanWriter(context: Context) {
  const { db, principal } = context

  /**
   * Creates a draft whose systems have everything they require among them.
   *
   * @throws InvalidInputError naming each missing system and what needs it
   * @throws ConflictError when the label is taken
   */
  async function create({ projectId, versionLabel, title, description, systemIds }: NewPlan) {
    const project = await holdProject(context, projectId, 'rule')
    await findSystems(context, project.id, systemIds)
    const report = await reportScope(context, project.id, systemIds)
    if (!report.valid) {
      throw new InvalidInputError(`The plan lacks systems that its systems require: ${missingInWords(report)}`, {
        next: 'Add the missing systems to `systemIds`, or leave out what needs them.',
        details: { missingDependencies: report.missingDependencies },
      })
    }
    const [row] = await db
      .insert(versionPlans)
      .values({
        id: randomUUID(),
        tenantId: principal.tenantId,
        projectId: project.id,
        versionLabel,
        title,
        description: description === '' ? null : description,
        createdBy: principal.userId,
      })
      .onConflictDoNothing({ target: [versionPlans.projectId, versionPlans.versionLabel] })
      .returning()
    if (!row) {
      const free = await freeLabel(project.id, versionLabel)
      throw new ConflictError(`There is a version plan "${versionLabel}" in this project already`, {
        next: `Use another label, for example "${free}".`,
        details: { versionLabel, freeLabel: free },
      })
    }
    await db
      .insert(versionPlanItems)
      .values(systemIds.map((systemId) => ({ planId: row.id, systemId, tenantId: principal.tenantId })))
    await record(row, 'created')
    const view = planView(row, await planContents(context, row))
    return { ...view, suggestions: report.suggestions, warnings: report.warnings }
  }

  /** Freezes a draft: from now on it is what its systems are today, whatever happens to them. */
  async function finalize(planId: string) {
    const { projectId } = await findPlan(context, planId)
    await holdProject(context, projectId, 'rule')
    const draft = await findDraft(context, planId)
    const contents = await planContents(context, draft)
    if (contents.systems.length === 0) {
      throw new ConflictError(`Version plan "${draft.versionLabel}" has no systems any more`, {
        next: 'Delete it with delete_version_plan and create another one.',
      })
    }
    const systemIds = contents.systems.map((system) => system.id)
    const report = await reportScope(context, projectId, systemIds)
    if (!report.valid) {
      throw new ConflictError(
        `Version plan "${draft.versionLabel}" lacks systems that its systems now require: ${missingInWords(report)}`,
        {
          next: 'Create another plan with the missing systems, or remove the dependencies.',
          details: { missingDependencies: report.missingDependencies },
        },
      )
    }
    const [row] = await db
      .update(versionPlans)
      .set({
        status: 'finalized',
        snapshot: contents,
        finalizedBy: principal.userId,
        finalizedAt: sql`now()`,
        updatedAt: sql`now()`,
      })
      .where(ofDraft(draft))
      .returning()
    if (!row) throw new NotFoundError('The draft')
    await record(row, 'finalized')
    return planView(row, contents)
  }

  /** Deletes a draft. A finalized plan is a `ConflictError`. */
  async function remove(planId: string) {
    const { projectId } = await findPlan(context, planId)
    await holdProject(context, projectId, 'rule')
    const draft = await findDraft(context, planId)
    await db.delete(versionPlans).where(ofDraft(draft))
    await record(draft, 'deleted')
    return { id: draft.id, versionLabel: draft.versionLabel, title: draft.title }
  }

  function ofDraft(draft: PlanRow) {
    return and(
      eq(versionPlans.tenantId, principal.tenantId),
      eq(versionPlans.id, draft.id),
      eq(versionPlans.status, 'draft'),
    )
  }

  function record(row: PlanRow, change: 'created' | 'finalized' | 'deleted') {
    return recordActivity(context, {
      projectId: row.projectId,
      thingType: 'version-plan',
      thingId: row.id,
      change,
      label: `${row.versionLabel} ${row.title}`,
    })
  }

  async function freeLabel(projectId: string, label: string): Promise<string> {
    const rows = await db
      .select({ label: versionPlans.versionLabel })
      .from(versionPlans)
      .where(and(eq(versionPlans.tenantId, principal.tenantId), eq(versionPlans.projectId, projectId)))
    const taken = new Set(rows.map((row) => row.label))
    const stem = label.slice(0, 40)
    let number = 2
    while (taken.has(`${stem}-${number}`)) number += 1
    return `${stem}-${number}`
  }

  return { create, finalize, delete: remove }
}
