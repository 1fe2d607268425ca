import type { PGlite, Results, Transaction } from '@electric-sql/pglite'
import type { Engine, Rows, Session, Statement } from './engine.ts'
import { parsers } from './parse-value.ts'

/** The embedded engine: one connection, one owner. A query that runs cannot be interrupted and blocks the process. */
export function pgliteEngine(pglite: PGlite, onClose: () => Promise<void> | void = () => {}): Engine {
  let closing: Promise<void> | undefined
  return {
    kind: 'pglite',
    driver: { kind: 'pglite', pglite },
    begin: (opening, { readOnly }) => beginOn(pglite, opening, readOnly),
    query: <Row>(statement: Statement) => run<Row>(pglite, statement),
    async script(sql) {
      await pglite.exec(sql)
    },
    // The folder's lock has made sure that there is no other process.
    exclusively: (_key, work) => work(),
    async notify(channel, payload) {
      await pglite.query('select pg_notify($1, $2)', [channel, payload])
    },
    async listen(channel, listener, onOpen) {
      const stop = await pglite.listen(channel, listener)
      onOpen?.()
      return () => stop()
    },
    close() {
      closing ??= pglite.close().then(onClose)
      return closing
    },
  }
}

async function run<Row>(target: PGlite | Transaction, statement: Statement): Promise<Rows<Row>> {
  const options = { parsers: { ...parsers }, ...(statement.rowMode && { rowMode: statement.rowMode }) }
  const result: Results<Row> = await target.query<Row>(statement.text, [...(statement.values ?? [])], options)
  return { rows: result.rows, rowCount: result.affectedRows || result.rows.length }
}

const rolledBack = Symbol('rolled back')

function beginOn(pglite: PGlite, opening: string, readOnly: boolean): Promise<Session> {
  return new Promise((opened, failed) => {
    const end = Promise.withResolvers<void>()
    const finished = pglite.transaction(async (transaction) => {
      await transaction.exec(
        readOnly ? `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; ${opening}` : opening,
      )
      opened(new PgliteSession(transaction, end, () => finished))
      await end.promise
    })
    finished.catch(failed)
  })
}

class PgliteSession implements Session {
  readonly #transaction: Transaction
  readonly #end: PromiseWithResolvers<void>
  readonly #finished: () => Promise<void>
  ended = false

  constructor(transaction: Transaction, end: PromiseWithResolvers<void>, finished: () => Promise<void>) {
    this.#transaction = transaction
    this.#end = end
    this.#finished = finished
  }

  query<Row>(statement: Statement): Promise<Rows<Row>> {
    return run<Row>(this.#transaction, statement)
  }

  async last<Row>(statement: Statement): Promise<Rows<Row>> {
    try {
      const rows = await this.query<Row>(statement)
      await this.commit()
      return rows
    } catch (error) {
      await this.rollback()
      throw error
    }
  }

  async commit(): Promise<void> {
    // PGlite does not say what COMMIT did; after a failed statement it rolls back, and this query fails.
    try {
      await this.#transaction.query('select 1')
    } catch (error) {
      await this.rollback()
      throw error
    }
    this.ended = true
    this.#end.resolve()
    await this.#finished()
  }

  async rollback(): Promise<void> {
    if (this.ended) return
    this.ended = true
    this.#end.reject(rolledBack)
    await this.#finished().catch((error: unknown) => {
      if (error !== rolledBack) throw error
    })
  }

  /** What runs here runs in this very thread: nobody could call this meanwhile. */
  interrupt(): void {}
}
