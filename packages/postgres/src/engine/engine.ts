import type { PGlite } from '@electric-sql/pglite'
import type pg from 'pg'

/** A statement for the driver. Dates come back as text, 8-byte integers as numbers, JSON parsed: on both engines alike. */
export interface Statement {
  text: string
  values?: readonly unknown[]
  /** A name keeps the statement prepared on its connection, where the engine can. */
  name?: string
  rowMode?: 'array'
  /** Values as the driver parses them by itself: for a host application's own statements. */
  driverTypes?: boolean
}

export interface Rows<Row = Record<string, unknown>> {
  rows: Row[]
  rowCount: number
}

/** The driver itself, for libraries that bring their own statements (pg-boss, better-auth). */
export type Driver = { kind: 'pglite'; pglite: PGlite } | { kind: 'postgres'; pool: pg.Pool }

/** One open transaction. */
export interface Session {
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Rows<Row>>
  /**
   * The last statement: COMMIT goes right behind it, without waiting for its answer. When it fails, nothing is committed.
   *
   * @throws {StoreError} As `commit` does.
   */
  last<Row = Record<string, unknown>>(statement: Statement): Promise<Rows<Row>>
  /**
   * @throws {StoreError} When the connection broke, so that nobody knows whether it was committed.
   */
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Committed or rolled back. */
  readonly ended: boolean
  /** Stops the statement that is running now, where the engine can. */
  interrupt(): void
}

/** What differs between an embedded Postgres and a server. Everything above it is one code. */
export interface Engine {
  readonly kind: 'pglite' | 'postgres'
  readonly driver: Driver
  /** Opens a transaction. `opening` is sent with BEGIN in one message; it holds trusted SQL only. */
  begin(opening: string, options: { readOnly: boolean }): Promise<Session>
  /** One statement on its own, as the user the database was opened with. */
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Rows<Row>>
  /** Several statements without parameters, on their own. */
  script(sql: string): Promise<void>
  /** Runs `work` while no other process runs work under the same key. */
  exclusively<T>(key: string, work: () => Promise<T>): Promise<T>
  notify(channel: string, payload: string): Promise<void>
  /** Listens until the returned function is called; reconnects by itself. `onOpen` is told of each (re)connection. */
  listen(channel: string, listener: (payload: string) => void, onOpen?: () => void): Promise<() => Promise<void>>
  close(): Promise<void>
}
