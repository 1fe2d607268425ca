import type { HandedTransaction } from 'handrail'
import type { Engine } from './engine/engine.ts'
import { migrate, type SchemaMigrations } from './migrate/migrate.ts'
import type { Db } from './transaction/handed.ts'
import { guardOuterUse } from './transaction/outer-use.ts'
import { TenantTransactions } from './transaction/tenant-transaction.ts'

/** What packs and servers need of a database, besides the stores. */
export interface TenantDatabase {
  readonly kind: 'pglite' | 'postgres'
  /** Brings a pack's schema up to date and puts the tenant wall around it. */
  migratePack(migrations: SchemaMigrations): Promise<void>
  /**
   * A transaction of one tenant, for work that is no tool call: demo data, a server's own rows.
   * Commits when `work` resolves, rolls back when it throws.
   *
   * @example
   * await database.transaction('acme', (db) => db.insert(projects).values({ tenantId: 'acme', name: 'Dungeon' }))
   */
  transaction<T>(tenantId: string, work: (db: Db, handed: HandedTransaction) => Promise<T>): Promise<T>
  /** The driver underneath, for a `RunDriver` or a health check. Not bound to a tenant. */
  readonly engine: Engine
  close(): Promise<void>
}

export interface DatabaseSettings {
  handle: 'drizzle' | 'client'
  /** `handrail_app` where it can be used; false leaves statements with the user of the connection. */
  switchRole: boolean
  idleTimeoutMs: number
  migrations: readonly SchemaMigrations[]
}

export async function createTenantDatabase(
  driver: Engine,
  settings: DatabaseSettings,
): Promise<{ database: TenantDatabase; transactions: TenantTransactions }> {
  const engine = guardOuterUse(driver)
  const { role } = await migrate(engine, settings.migrations)
  const transactions = new TenantTransactions(engine, {
    role: role && settings.switchRole ? 'handrail_app' : undefined,
    handle: settings.handle,
    idleTimeoutMs: settings.idleTimeoutMs,
  })
  const database: TenantDatabase = {
    kind: engine.kind,
    engine,
    async migratePack(migrations) {
      await migrate(engine, [migrations])
    },
    transaction: (tenantId, work) =>
      // `handle` decides what is handed; it is drizzle unless the host asked for a client.
      transactions.handed({ tenant: tenantId }, (handed) => work(handed.db as Db, handed)),
    close: () => engine.close(),
  }
  return { database, transactions }
}
