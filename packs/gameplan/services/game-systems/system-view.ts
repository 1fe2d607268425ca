import type { SystemRow } from './find-system.ts'

/** A game system in a list: enough to choose from. */
export function systemSummary(row: SystemRow) {
  return {
    id: row.id,
    systemSlug: row.systemSlug,
    name: row.name,
    version: row.version,
    status: row.status,
    mvpCriticality: row.mvpCriticality,
    purpose: row.purpose,
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** A game system with all its written sections. */
export function systemView(row: SystemRow) {
  return {
    id: row.id,
    projectId: row.projectId,
    systemSlug: row.systemSlug,
    name: row.name,
    version: row.version,
    status: row.status,
    mvpCriticality: row.mvpCriticality,
    purpose: row.purpose,
    coreMechanics: row.coreMechanics,
    inputs: row.inputs,
    outputs: row.outputs,
    failureStates: row.failureStates,
    scalingBehavior: row.scalingBehavior,
    currentState: row.currentState,
    targetState: row.targetState,
    implementationNotes: row.implementationNotes,
    openQuestions: row.openQuestions,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** How other things point to a system: what a person and a model need to recognise it. */
export function systemReference(row: Pick<SystemRow, 'id' | 'systemSlug' | 'name'>) {
  return { id: row.id, slug: row.systemSlug, name: row.name }
}

/** A system as graph functions see it. */
export function graphNode(row: SystemRow) {
  return { id: row.id, slug: row.systemSlug, mvpCriticality: row.mvpCriticality }
}
