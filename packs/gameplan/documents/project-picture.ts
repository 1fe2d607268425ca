import type { EdgeType } from '../graph/edge.ts'
import type { SystemFields } from '../services/game-systems/system-fields.ts'

export interface PictureSystem extends SystemFields {
  systemSlug: string
  version: string
}

export interface PictureDependency {
  /** Slug of the system that needs the other. */
  source: string
  target: string
  type: EdgeType
  description: string | null
}

export interface PicturePlan {
  versionLabel: string
  title: string
  description: string | null
  status: 'draft' | 'finalized'
  createdBy: string
  finalizedBy: string | null
  /** Calendar date in UTC, `YYYY-MM-DD`. */
  finalizedOn: string | null
  systems: (PictureSystem & { phase: number })[]
  dependencies: PictureDependency[]
}

export interface PictureBrainstorm {
  title: string
  author: string
  tags: string[]
  /** What was made of it and accepted. */
  accepted: { title: string; content: string }[]
}

export interface PictureChange {
  system: string
  version: string
  summary: string
  author: string
}

/** Everything documents are made of, read once; in a stable order and without ids. */
export interface ProjectPicture {
  project: {
    name: string
    description: string | null
    genre: string | null
    platform: string | null
    createdBy: string
  }
  /** In the order to build them in. */
  systems: PictureSystem[]
  layers: string[][]
  criticalPath: string[]
  dependencies: PictureDependency[]
  /** Oldest version first. */
  plans: PicturePlan[]
  brainstorms: PictureBrainstorm[]
  /** Newest first. */
  changes: PictureChange[]
}
