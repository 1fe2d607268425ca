import type { EdgeType } from '../../graph/edge.ts'
import type { SystemFields } from '../game-systems/system-fields.ts'

/** A system as it stood when a plan was finalized. */
export interface SnapshotSystem extends SystemFields {
  id: string
  systemSlug: string
  version: string
  /** Systems of one phase can be built in parallel once the phases before are done; from 1. */
  phase: number
}

export interface SnapshotDependency {
  sourceSystemId: string
  targetSystemId: string
  type: EdgeType
  description: string | null
}

/** What a plan contains, in the order to build it in. A finalized plan keeps it for good, whatever happens to its systems. */
export interface PlanSnapshot {
  systems: SnapshotSystem[]
  /** The dependencies between these systems. */
  dependencies: SnapshotDependency[]
}
