import type { Store } from '../store/store.ts'

/** Every row of a pack's tables, of all tenants, by table. */
export type Snapshot = Readonly<Record<string, readonly unknown[]>>

/**
 * What a pack's tests need of a database beyond the store. `openPackDatabase` of `@handrail/postgres/testing` gives one;
 * a pack that keeps its data elsewhere brings its own.
 */
export interface PackTestDatabase {
  readonly store: Store
  /** A transaction of one tenant outside any call, for demo data. Commits when `work` resolves. */
  transaction<T>(tenantId: string, work: (db: unknown) => Promise<T>): Promise<T>
  snapshot(): Promise<Snapshot>
  /** Writes the text into every free text (one of several words) of a tenant's rows. Whoever sees it has seen that data. */
  plant(tenantId: string, text: string): Promise<void>
  close(): Promise<void>
}
