import type { SystemFields } from '../game-systems/system-fields.ts'

/** A system as it stood when a plan was finalized. */
export interface SnapshotSystem extends SystemFields {
  id: string
  systemSlug: string
  version: string
  phase: number
  sortOrder: number
}

export interface SnapshotDependency {
  sourceSystemId: string
  targetSystemId: string
  type: 'requires' | 'enhances' | 'optional'
  description: string | null
}

/** What a finalized plan keeps for good, whatever happens to its systems afterwards. */
export interface PlanSnapshot {
  systems: SnapshotSystem[]
  /** The dependencies between these systems. */
  dependencies: SnapshotDependency[]
}
