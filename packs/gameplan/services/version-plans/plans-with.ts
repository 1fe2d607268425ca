import { and, asc, eq, inArray } from 'drizzle-orm'
import { versionPlanItems, versionPlans } from '../../db/schema.ts'
import type { Context } from '../context.ts'
import { inScope } from '../in-scope.ts'

/** The plans that a system is part of. */
export function plansWith(context: Context, systemId: string) {
  const { db, principal } = context
  const planIds = db
    .select({ planId: versionPlanItems.planId })
    .from(versionPlanItems)
    .where(and(eq(versionPlanItems.tenantId, principal.tenantId), eq(versionPlanItems.systemId, systemId)))
  return db
    .select({
      id: versionPlans.id,
      versionLabel: versionPlans.versionLabel,
      title: versionPlans.title,
      status: versionPlans.status,
    })
    .from(versionPlans)
    .where(and(inScope(context, versionPlans), inArray(versionPlans.id, planIds)))
    .orderBy(asc(versionPlans.versionLabel))
}
