import type { Session, Statement } from '../engine/engine.ts'
import type { TenantTransactions, TransactionOptions } from '../transaction/tenant-transaction.ts'

/** A store's own session: text that Postgres cannot hold is replaced before it is sent. */
export type StoreSession = Pick<Session, 'query' | 'last'>

/** Transactions of the stores' own statements: no tool's code runs in them, so they may be run again. */
export class StoreTransactions {
  readonly transactions: TenantTransactions

  constructor(transactions: TenantTransactions) {
    this.transactions = transactions
  }

  /** Runs `work` in a transaction; again when the database chose it as the victim of a deadlock. */
  async run<T>(tenant: TransactionOptions['tenant'], work: (session: StoreSession) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.transactions.run({ tenant }, (session) => work(storeSession(session)))
      } catch (error) {
        if (tries === 3 || !isTransient(error)) throw error
      }
    }
  }

  /** One reading statement in a read-only transaction. */
  read<Row>(tenant: TransactionOptions['tenant'], statement: Statement): Promise<Row[]> {
    return this.transactions.run({ tenant, readOnly: true }, async (session) => {
      const { rows } = await storeSession(session).last<Row>(statement)
      return rows
    })
  }
}

export function storeSession(session: Session): StoreSession {
  return {
    query: (statement) => session.query(cleaned(statement)),
    last: (statement) => session.last(cleaned(statement)),
  }
}

function cleaned(statement: Statement): Statement {
  return { ...statement, values: (statement.values ?? []).map(storable) }
}

/** Postgres text cannot hold U+0000. An id with one is nobody's id; a sentence keeps its other letters. */
function storable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\u0000') ? value.replaceAll('\u0000', '\ufffd') : value
}

/** Deadlock, serialization failure, and a unique key that was taken between the look and the insert. */
function isTransient(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['40P01', '40001', '23505'].includes(String(error.code))
}

const nothingDone = 'handrail: nothing done'

/**
 * For a statement that is followed by COMMIT at once and must fail when it did nothing: a column that cannot be read then.
 * An aggregate, because the planner would work out a constant beforehand.
 */
export const orFail = `cast(case when count(*) = 1 then '1' else '${nothingDone}' end as int) as done`

export function isNothingDone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '22P02' && error.message.includes(nothingDone)
}
