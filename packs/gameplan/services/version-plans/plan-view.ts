import type { PlanRow } from './find-plan.ts'
import type { PlanSnapshot } from './plan-snapshot.ts'

/** A plan in a list. */
export function planSummary(row: PlanRow) {
  return {
    id: row.id,
    projectId: row.projectId,
    versionLabel: row.versionLabel,
    title: row.title,
    description: row.description,
    status: row.status,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    finalizedBy: row.finalizedBy,
    finalizedAt: row.finalizedAt?.toISOString() ?? null,
  }
}

/** A plan with its systems and phases, in the order to build them in. */
export function planView(row: PlanRow, contents: PlanSnapshot) {
  const phases = [...new Set(contents.systems.map((system) => system.phase))]
  return {
    ...planSummary(row),
    systems: contents.systems.map((system) => ({
      id: system.id,
      systemSlug: system.systemSlug,
      name: system.name,
      version: system.version,
      status: system.status,
      mvpCriticality: system.mvpCriticality,
      phase: system.phase,
    })),
    phases: phases.map((phase) => ({
      phase,
      systems: contents.systems.filter((system) => system.phase === phase).map((system) => system.systemSlug),
    })),
  }
}
