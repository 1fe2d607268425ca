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
      opened({
        query: <Row>(statement: Statement) => run<Row>(transaction, statement),
        async commit() {
          end.resolve()
          await finished
        },
        async rollback() {
          end.reject(rolledBack)
          await finished.catch((error: unknown) => {
            if (error !== rolledBack) throw error
          })
        },
        interrupt() {},
      })
      await end.promise
    })
    finished.catch(failed)
  })
}
