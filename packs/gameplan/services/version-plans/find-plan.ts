import { and, eq } from 'drizzle-orm'
import { ConflictError, NotFoundError } from 'handrail'
import { versionPlans } from '../../db/schema.ts'
import type { Context } from '../context.ts'
import { inScope } from '../in-scope.ts'

export type PlanRow = typeof versionPlans.$inferSelect

/** Reads one version plan. Another workspace's, another project's and a missing one are the same `NotFoundError`. */
export async function findPlan(context: Context, planId: string): Promise<PlanRow> {
  const [row] = await context.db
    .select()
    .from(versionPlans)
    .where(and(inScope(context, versionPlans), eq(versionPlans.id, planId)))
  if (row) return row
  throw new NotFoundError(`Version plan \`${planId}\``, {
    next: 'list_version_plans shows the ids of the plans of this project.',
  })
}

/**
 * Reads a plan that may still be changed.
 *
 * @throws ConflictError when it is finalized
 */
export async function findDraft(context: Context, planId: string): Promise<PlanRow> {
  const row = await findPlan(context, planId)
  if (row.status === 'draft') return row
  throw new ConflictError(`Version plan "${row.versionLabel}" is finalized and cannot be changed or deleted`, {
    next: 'Create another plan with create_version_plan for what comes next.',
  })
}
