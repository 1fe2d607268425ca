import type pg from 'pg'
import { createDatabase, type Database } from './database.ts'
import { pgEngine } from './engine/pg-engine.ts'

export interface PostgresStoreOptions {
  /** The application's own pool. It stays the application's: closing the store leaves it open. */
  pool: pg.Pool
  /**
   * What tools are handed as `db`: `drizzle`, or `client` with `query(text, values)` as `pg` has it, with `pg`'s own
   * parsers. Default `drizzle`.
   */
  handle?: 'drizzle' | 'client'
  /** After how long, in ms, the server ends a transaction that stands still. Default 30,000. */
  idleTimeoutMs?: number
}

/**
 * The stores beside an application's own tables, in its own database: its functions and our record commit together.
 * Statements run as the pool's user; our tables lie in the schema `handrail`, behind row-level security, which binds every
 * user but a superuser.
 *
 * @example
 * const store = await postgresStore({ pool, handle: 'client' })
 * const gate = createGate({ tools, store, resolvePrincipal })
 */
export function postgresStore(options: PostgresStoreOptions): Promise<Database> {
  return createDatabase(pgEngine(options.pool, { ownsPool: false }), {
    handle: options.handle ?? 'drizzle',
    // The application's tables are granted to its own user, not to ours.
    switchRole: false,
    idleTimeoutMs: options.idleTimeoutMs ?? 30_000,
    migrations: [],
  })
}
