import { fileURLToPath } from 'node:url'
import type { SchemaMigrations } from '../migrate/migrate.ts'

/** A schema with one table, `notes.notes (tenant_id, id)`, for what services write in our own tests. */
export const notes: SchemaMigrations = {
  schema: 'notes',
  migrationsFolder: fileURLToPath(new URL('./notes-migrations', import.meta.url)),
}
