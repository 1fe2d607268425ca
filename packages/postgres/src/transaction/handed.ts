import { type NodePgQueryResultHKT, NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { HandedTransaction } from 'handrail'
import type { Rows, Statement } from '../engine/engine.ts'

/** What a pack's services are built on: drizzle, inside a transaction, on either engine. Nested transactions are savepoints. */
export type Db = PgDatabase<NodePgQueryResultHKT, Record<string, never>>

/** What a host application's functions are built on when it asks for `handle: 'client'`: as `pg`'s client. */
export interface QueryClient {
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Rows<Row>>
}

export interface Handed<Handle = unknown> extends HandedTransaction {
  readonly db: Handle
  /** Why it was revoked, once it was. */
  revokedFor(): Error | undefined
}

/** How a statement gets to the database: an open transaction, or one transaction for each statement. */
export interface Source {
  query<Row>(statement: Statement): Promise<Rows<Row>>
  interrupt(): void
}

/** Wraps a source so that it can be taken back: after `revoke` every query rejects, also one that is running. */
export function hand(source: Source, handle: 'drizzle' | 'client'): Handed {
  let reason: Error | undefined
  const revocation = Promise.withResolvers<never>()
  // Nobody may be waiting for it when it comes.
  revocation.promise.catch(() => {})

  const query = async <Row>(statement: Statement): Promise<Rows<Row>> => {
    if (reason) throw reason
    return Promise.race([source.query<Row>(statement), revocation.promise])
  }
  return {
    db: handle === 'client' ? queryClient(query) : drizzleOver(query),
    revokedFor: () => reason,
    revoke(error) {
      if (reason) return
      reason = error
      revocation.reject(error)
      source.interrupt()
    },
  }
}

type Query = <Row>(statement: Statement) => Promise<Rows<Row>>

function queryClient(query: Query): QueryClient {
  return { query: (text, values) => query({ text, driverTypes: true, ...(values && { values }) }) }
}

const dialect = new PgDialect()

function drizzleOver(query: Query): Db {
  const client = {
    query: async (config: { text: string; name?: string; rowMode?: 'array' }, values?: readonly unknown[]) => {
      const { rows, rowCount } = await query<unknown>({
        text: config.text,
        ...(values && { values }),
        ...(config.name && { name: config.name }),
        ...(config.rowMode && { rowMode: config.rowMode }),
      })
      return { rows, rowCount, fields: [], command: '', oid: 0 }
    },
  }
  // Of pg's client drizzle's session uses `query` with a config and values, nothing else.
  const session = new NodePgSession(client as never, dialect, undefined)
  return new NodePgTransaction(dialect, session, undefined)
}
