import type { ProjectRow } from './find-project.ts'

/** A project as tools show it. */
export function projectView(row: ProjectRow) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    genre: row.genre,
    platform: row.platform,
    status: row.status,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
