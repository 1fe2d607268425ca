import { fileURLToPath } from 'node:url'
import type { HandedTransaction, Store } from 'handrail'
import type { Engine } from './engine/engine.ts'
import { migrate, type SchemaMigrations } from './migrate/migrate.ts'
import { appRole } from './migrate/secure-schema.ts'
import { openSignals } from './signals/signals.ts'
import { approvalStore } from './stores/approval-store.ts'
import { callStore } from './stores/call-store.ts'
import { ledgerStore } from './stores/ledger-store.ts'
import { pruneQuotas } from './stores/prune-quotas.ts'
import { runStore } from './stores/run-store.ts'
import { StoreTransactions } from './stores/store-transactions.ts'
import type { Db } from './transaction/handed.ts'
import { guardOuterUse } from './transaction/outer-use.ts'
import { TenantTransactions } from './transaction/tenant-transaction.ts'

/** The stores on a Postgres, and what packs and servers need of it besides. */
export interface Database extends Store {
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
}

export interface DatabaseSettings {
  handle: 'drizzle' | 'client'
  /** `handrail_app` where it can be used; false leaves statements with the user of the connection. */
  switchRole: boolean
  idleTimeoutMs: number
  migrations: readonly SchemaMigrations[]
}

/** Our own tables. */
export const ownMigrations: SchemaMigrations = {
  schema: 'handrail',
  migrationsFolder: fileURLToPath(new URL('../migrations', import.meta.url)),
}

/** Migrates what the engine drives, and builds the stores on it. Closes the engine when that fails. */
export async function createDatabase(driver: Engine, settings: DatabaseSettings): Promise<Database> {
  try {
    return await buildDatabase(guardOuterUse(driver), settings)
  } catch (error) {
    await driver.close().catch(() => {})
    throw error
  }
}

async function buildDatabase(engine: Engine, settings: DatabaseSettings): Promise<Database> {
  const { role } = await migrate(engine, [ownMigrations, ...settings.migrations], settings)
  const transactions = new TenantTransactions(engine, {
    role: role ? appRole : undefined,
    handle: settings.handle,
    idleTimeoutMs: settings.idleTimeoutMs,
  })
  const stores = new StoreTransactions(transactions)
  const signals = openSignals(engine)
  const endPruning = pruneQuotas(stores)
  return {
    kind: engine.kind,
    engine,
    calls: callStore(stores),
    approvals: approvalStore(stores),
    ledger: ledgerStore(stores),
    runs: runStore(stores),
    signals,
    async migratePack(migrations) {
      await migrate(engine, [migrations], settings)
    },
    transaction: (tenantId, work) =>
      // `handle` decides what is handed; it is drizzle unless the host asked for a client.
      transactions.handed({ tenant: tenantId }, (handed) => work(handed.db as Db, handed)),
    async close() {
      await signals.close()
      await endPruning()
      await engine.close()
    },
  }
}
