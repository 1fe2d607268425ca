import { createDatabase, type Database, ownMigrations } from '../database.ts'
import { pgliteEngine } from '../engine/pglite-engine.ts'
import { migrate, type SchemaMigrations } from '../migrate/migrate.ts'
import { pgliteFromTemplate } from './pglite-template.ts'

export interface TestDatabaseOptions {
  engine: 'pglite'
  /** Schemas of packs that the test needs. */
  packs?: readonly SchemaMigrations[]
}

/**
 * An empty database of its own for a test, with every schema migrated. Close it when the test is over.
 *
 * @example
 * const database = await openTestDatabase({ engine: 'pglite', packs: [gameplan.storage] })
 */
export async function openTestDatabase(options: TestDatabaseOptions): Promise<Database> {
  const packs = options.packs ?? []
  const schemas = [ownMigrations, ...packs]
  const pglite = await pgliteFromTemplate(schemas, async (fresh) => {
    await migrate(pgliteEngine(fresh), schemas)
  })
  return createDatabase(pgliteEngine(pglite), {
    handle: 'drizzle',
    switchRole: true,
    idleTimeoutMs: 30_000,
    migrations: packs,
  })
}
