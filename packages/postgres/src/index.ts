export type { TenantDatabase } from './database.ts'
export type { SchemaMigrations } from './migrate/migrate.ts'
