import { StoreError } from 'handrail'
import pg from 'pg'
import type { Engine, Rows, Session, Statement } from './engine.ts'
import { parsers } from './parse-value.ts'

const getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format)
const types: pg.CustomTypesConfig = {
  // The cast joins pg's overloads, which differ only in what the format is called.
  getTypeParser: getTypeParser as pg.CustomTypesConfig['getTypeParser'],
}

const ignore = (): void => {}

/** A Postgres server, through a pool. `ownsPool` says whether closing the engine ends the pool. */
export function pgEngine(pool: pg.Pool, options: { ownsPool: boolean }): Engine {
  // Without a listener an idle connection that breaks would end the process; the pool replaces it by itself.
  pool.on('error', ignore)
  let closing: Promise<void> | undefined
  const listeners = new Set<() => Promise<void>>()

  return {
    kind: 'postgres',
    driver: { kind: 'postgres', pool },
    async begin(opening, { readOnly }) {
      const client = await connect(pool)
      const session = new PgSession(client, pool)
      const mode = readOnly ? ' ISOLATION LEVEL REPEATABLE READ, READ ONLY' : ''
      session.open(`BEGIN${mode}; ${opening}`)
      return session
    },
    query: <Row>(statement: Statement) => borrowing(pool, (client) => run<Row>(client, statement)),
    async script(sql) {
      await borrowing(pool, (client) => client.query(sql))
    },
    async exclusively(key, work) {
      const client = await connect(pool)
      try {
        await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [key])
        return await work()
      } finally {
        // The lock belongs to the session, so the session goes too if unlocking fails.
        const unlocked = await client
          .query('select pg_advisory_unlock(hashtextextended($1, 0))', [key])
          .catch(() => false)
        client.release(unlocked === false)
      }
    },
    async notify(channel, payload) {
      await pool.query({ name: 'handrail.notify', text: 'select pg_notify($1, $2)', values: [channel, payload] })
    },
    async listen(channel, listener, onOpen) {
      const stop = await listenOn(pool, channel, listener, onOpen)
      listeners.add(stop)
      return async () => {
        listeners.delete(stop)
        await stop()
      }
    },
    close() {
      closing ??= (async () => {
        await Promise.all([...listeners].map((stop) => stop()))
        if (options.ownsPool) await pool.end()
        else pool.off('error', ignore)
      })()
      return closing
    },
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    const client = await pool.connect()
    // The pool listens to idle connections only. One that is out, or broke and was given back, may report an error of its
    // own beside that of its query, and an error nobody listens to ends the process.
    if (!client.listeners('error').includes(ignore)) client.on('error', ignore)
    return client
  } catch (error) {
    throw asStoreError(error)
  }
}

/** Gives a connection that broke back as broken, so that nobody else gets it. */
async function borrowing<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await connect(pool)
  let broken = false
  try {
    return await work(client)
  } catch (error) {
    broken = isConnectionError(error)
    throw asStoreError(error)
  } finally {
    client.release(broken)
  }
}

async function run<Row>(client: pg.PoolClient, statement: Statement): Promise<Rows<Row>> {
  const config = {
    text: statement.text,
    values: [...(statement.values ?? [])],
    name: statement.name,
    ...(!statement.driverTypes && { types }),
  }
  const result = statement.rowMode
    ? await client.query({ ...config, rowMode: statement.rowMode })
    : await client.query(config)
  // The driver does not know the columns; whoever wrote the statement does.
  return { rows: result.rows as Row[], rowCount: result.rowCount ?? 0 }
}

class PgSession implements Session {
  readonly #client: pg.PoolClient
  readonly #pool: pg.Pool
  readonly #isPipelined: boolean
  #before: Promise<void> | undefined
  #running = 0
  #opening: Promise<unknown> | undefined
  #broken: Error | undefined
  #isInterrupted = false
  #released = false
  #lost = false
  readonly #onError = (error: Error): void => {
    this.#broken = error
    this.#lost = true
  }

  constructor(client: pg.PoolClient, pool: pg.Pool) {
    this.#client = client
    this.#pool = pool
    // pg leaves the setting out of its types.
    this.#isPipelined = (client as pg.PoolClient & { pipeline?: boolean }).pipeline === true
    client.on('error', this.#onError)
  }

  /**
   * Sends the opening without waiting for its answer: the first statement goes right behind it. Should the opening fail,
   * the server takes no further statement of the transaction.
   */
  open(sql: string): void {
    this.#opening = this.send(sql)
    this.#opening.catch(() => {})
  }

  async send(sql: string): Promise<pg.QueryResult> {
    return this.#watched(() => this.#client.query(sql))
  }

  async query<Row>(statement: Statement): Promise<Rows<Row>> {
    const running = this.#watched(() => run<Row>(this.#client, statement))
    const opening = this.#opening
    if (opening === undefined) return running
    running.catch(() => {})
    await opening
    this.#opening = undefined
    return running
  }

  async #watched<T>(work: () => Promise<T>): Promise<T> {
    if (this.#released) throw new Error('The transaction has ended.')
    this.#running++
    const { promise: isOver, resolve: over } = Promise.withResolvers<void>()
    const before = this.#before
    this.#before = isOver
    try {
      // Only a connection in pipeline mode takes a statement while another one runs.
      if (!this.#isPipelined) await before
      return await work()
    } catch (error) {
      if (isConnectionError(error) && error instanceof Error) this.#onError(error)
      throw asStoreError(error)
    } finally {
      this.#running--
      over()
    }
  }

  async last<Row>(statement: Statement): Promise<Rows<Row>> {
    const running = this.query<Row>(statement)
    const committing = this.commit()
    const [result, committed] = await Promise.allSettled([running, committing])
    // The failed statement tells more than the rollback that followed from it.
    if (result.status === 'rejected') throw result.reason
    if (committed.status === 'rejected') throw committed.reason
    return result.value
  }

  get ended(): boolean {
    return this.#released
  }

  async commit(): Promise<void> {
    try {
      const result = await this.send('COMMIT')
      // A transaction in which a statement failed answers COMMIT with a rollback, and without an error.
      if (result.command === 'ROLLBACK')
        throw new Error('The transaction was rolled back: one of its statements failed.')
    } finally {
      this.#release()
    }
  }

  async rollback(): Promise<void> {
    if (this.#released) return
    try {
      this.interrupt()
      if (!this.#lost) await this.send('ROLLBACK')
    } catch (error) {
      // Nothing was committed either way: the server rolls back what a lost connection leaves.
      this.#broken ??= error instanceof Error ? error : new Error(String(error))
    } finally {
      this.#release()
    }
  }

  interrupt(): void {
    if (this.#running === 0) return
    this.#isInterrupted = true
    cancel(this.#client, this.#pool)
  }

  #release(): void {
    if (this.#released) return
    this.#released = true
    this.#client.off('error', this.#onError)
    // The cancellation travels on its own and may arrive late: it must not hit whoever has the connection next.
    this.#client.release(this.#broken !== undefined || this.#isInterrupted)
  }
}

/** Asks the server to stop what the connection is running, over a connection of its own: the pool may be exhausted. */
function cancel(client: pg.PoolClient, pool: pg.Pool): void {
  // pg keeps the backend's id on the client but leaves it out of its types.
  const { processID } = client as pg.PoolClient & { processID?: number }
  if (processID === undefined) return
  const control = new pg.Client(pool.options)
  control.on('error', () => {})
  control
    .connect()
    .then(() => control.query('select pg_cancel_backend($1)', [processID]))
    .catch(() => {})
    .finally(() => control.end().catch(() => {}))
}

async function listenOn(
  pool: pg.Pool,
  channel: string,
  listener: (payload: string) => void,
  onOpen: (() => void) | undefined,
): Promise<() => Promise<void>> {
  let stopped = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  const open = async (): Promise<void> => {
    const next = new pg.Client({ ...pool.options, keepAlive: true })
    next.on('error', () => {})
    next.on('end', () => {
      if (!stopped && client === next) reopen(1000)
    })
    next.on('notification', (message) => listener(message.payload ?? ''))
    try {
      await next.connect()
      await next.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
      client = next
      onOpen?.()
    } catch (error) {
      await next.end().catch(() => {})
      throw error
    }
    if (stopped) await next.end().catch(() => {})
  }
  const reopen = (delay: number): void => {
    retry = setTimeout(() => {
      open().catch(() => {
        if (!stopped) reopen(Math.min(delay * 2, 30_000))
      })
    }, delay)
    retry.unref()
  }
  await open()
  return async () => {
    stopped = true
    clearTimeout(retry)
    await client?.end().catch(() => {})
  }
}

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EHOSTUNREACH',
])

/** Did the connection break, rather than the statement fail? SQLSTATE class 08, and 57P: the server is going away. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return (
    connectionCodes.has(code) ||
    code.startsWith('08') ||
    /^57P0[1-5]$/.test(code) ||
    code === '25P03' ||
    code === '53300' ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Cannot use a pool after calling end/.test(
      error.message,
    )
  )
}

function asStoreError(error: unknown): unknown {
  return isConnectionError(error) ? new StoreError('The database cannot be reached.', { cause: error }) : error
}
