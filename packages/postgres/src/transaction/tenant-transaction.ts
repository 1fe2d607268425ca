import { StoreError } from 'handrail'
import type { Engine, Rows, Session, Statement } from '../engine/engine.ts'
import { type Handed, hand } from './handed.ts'
import { inside } from './outer-use.ts'

/** Every tenant at once, for the system's own work. No principal can have it: tenants are checked where they enter. */
export const everyTenant = Symbol('every tenant')

export interface TransactionOptions {
  tenant: string | typeof everyTenant
  readOnly?: boolean
}

export interface TransactionSettings {
  /** The role that statements run as, so that row-level security holds for a superuser, too. */
  role: string | undefined
  handle: 'drizzle' | 'client'
  /** A holder that was stopped in mid-transaction loses its locks after this time. */
  idleTimeoutMs: number
}

/** Opens transactions of one tenant. Whatever runs in one sees and changes that tenant's rows only. */
export class TenantTransactions {
  readonly engine: Engine
  readonly #settings: TransactionSettings

  constructor(engine: Engine, settings: TransactionSettings) {
    this.engine = engine
    this.#settings = settings
  }

  begin(options: TransactionOptions): Promise<Session> {
    return this.engine.begin(this.#opening(options.tenant), { readOnly: options.readOnly ?? false })
  }

  /** Runs `work` in a transaction and commits it, unless `work` did so with its last statement; a throw rolls it back and is thrown on. */
  async run<T>(options: TransactionOptions, work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.begin(options)
    let result: T
    try {
      result = await work(session)
    } catch (error) {
      await session.rollback()
      throw error
    }
    if (!session.ended) await session.commit()
    return result
  }

  /** Runs `work` in a transaction that is handed to it and can be revoked. */
  handed<T>(options: TransactionOptions, work: (handed: Handed) => Promise<T>): Promise<T> {
    return this.run(options, (session) => this.handOver(session, work))
  }

  /** Hands an open transaction to `work`, and takes it back when `work` is over. Does not end the transaction. */
  async handOver<T>(session: Session, work: (handed: Handed) => Promise<T>): Promise<T> {
    const handed = hand(session, this.#settings.handle)
    try {
      return await inside(this.engine, () => work(handed))
    } finally {
      handed.revoke(new Error('The transaction has ended. Await every query before returning.'))
    }
  }

  /** Queries that each run in a read-only transaction of their own: nothing stays open between them. */
  readers(tenant: string): Handed {
    const running = new Set<Session>()
    const query = async <Row>(statement: Statement): Promise<Rows<Row>> =>
      this.run({ tenant, readOnly: true }, async (session) => {
        running.add(session)
        try {
          return await session.last<Row>(statement)
        } finally {
          running.delete(session)
        }
      })
    const interrupt = (): void => {
      for (const session of running) session.interrupt()
    }
    return hand({ query, interrupt }, this.#settings.handle)
  }

  #opening(tenant: TransactionOptions['tenant']): string {
    const { role, idleTimeoutMs } = this.#settings
    const name = tenant === everyTenant ? '*' : checked(tenant)
    return [
      ...(role === undefined ? [] : [`SET LOCAL ROLE ${role}`]),
      `SET LOCAL handrail.tenant TO ${literal(name)}`,
      `SET LOCAL idle_in_transaction_session_timeout TO ${idleTimeoutMs}`,
    ].join('; ')
  }
}

function checked(tenant: string): string {
  if (tenant === '' || tenant === '*' || tenant.includes('\u0000'))
    throw new StoreError('A transaction needs the id of one tenant.')
  return tenant
}

/** A string as SQL, right whatever `standard_conforming_strings` says. */
function literal(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`
  return text.includes('\\') ? `E${quoted}` : quoted
}
