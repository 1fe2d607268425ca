import { PGlite } from '@electric-sql/pglite'
import { SetupError } from 'handrail'
import pg from 'pg'
import { createDatabase, type Database } from './database.ts'
import { openDataFolder } from './engine/data-folder.ts'
import type { Engine } from './engine/engine.ts'
import { pgEngine } from './engine/pg-engine.ts'
import { pgliteEngine } from './engine/pglite-engine.ts'
import type { SchemaMigrations } from './migrate/migrate.ts'

export interface OpenDatabaseOptions {
  /** A Postgres server: `postgres://user:password@host:5432/database`. Comes before `dataFolder`. */
  url?: string
  /** A folder for an embedded Postgres that this process alone owns; made when it is not there. */
  dataFolder?: string
  /** An embedded Postgres that ends with the process. */
  memory?: boolean
  /** Schemas of packs to bring up to date. */
  migrations?: readonly SchemaMigrations[]
  /** Connections to a server at once. Default 10. */
  connections?: number
  /** After how long, in ms, the server ends a transaction that stands still. Default 30,000. */
  idleTimeoutMs?: number
}

/**
 * Opens the stores on a Postgres server, on an embedded Postgres in a folder, or in memory, and migrates them.
 *
 * @throws {SetupError} `DATABASE_NOT_NAMED`, `BAD_DATABASE_URL`, `DATABASE_UNREACHABLE`, `DATABASE_REFUSED`,
 *   `DATA_FOLDER_IN_USE`, `DATA_FOLDER_NOT_A_DATABASE`, `DATA_FOLDER_OTHER_VERSION`, `DATA_FOLDER_UNUSABLE`,
 *   or what a migration throws. No message holds a password.
 *
 * @example
 * const database = await openDatabase({ url: process.env.DATABASE_URL, dataFolder: '.handrail' })
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  return createDatabase(await openEngine(options), {
    handle: 'drizzle',
    switchRole: true,
    idleTimeoutMs: options.idleTimeoutMs ?? 30_000,
    migrations: options.migrations ?? [],
  })
}

async function openEngine(options: OpenDatabaseOptions): Promise<Engine> {
  if (options.url !== undefined) return openServer(options.url, options.connections ?? 10)
  if (options.dataFolder !== undefined) return openDataFolder(options.dataFolder)
  if (options.memory) return pgliteEngine(await PGlite.create())
  throw new SetupError('DATABASE_NOT_NAMED', 'Name a database: a `url`, a `dataFolder`, or `memory: true`.')
}

async function openServer(url: string, connections: number): Promise<Engine> {
  const { host, database } = parse(url)
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 10_000,
    application_name: 'handrail',
    // Statements go out without waiting for the answer to the one before.
    pipeline: true,
    // Idle connections alone must not keep a command from ending.
    allowExitOnIdle: true,
  })
  const engine = pgEngine(pool, { ownsPool: true })
  try {
    await engine.query({ text: 'select 1' })
    return engine
  } catch (error) {
    await engine.close()
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
    // Class 28: wrong user or password; 3D000: no such database. The driver's message names the user, never the password.
    if (error instanceof Error && (code.startsWith('28') || code === '3D000')) {
      throw new SetupError(
        'DATABASE_REFUSED',
        `The database \`${database}\` at \`${host}\` refused the connection: ${error.message}.`,
        {
          cause: error,
        },
      )
    }
    throw new SetupError(
      'DATABASE_UNREACHABLE',
      `The database \`${database}\` at \`${host}\` cannot be reached. Is the server running?`,
      {
        cause: error,
      },
    )
  }
}

/** Reads where the url points to, without ever repeating it: it may hold a password. */
function parse(url: string): { host: string; database: string } {
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    throw badUrl('it is not a url')
  }
  if (parsed.protocol !== 'postgres:' && parsed.protocol !== 'postgresql:')
    throw badUrl(`it starts with \`${parsed.protocol}\``)
  return { host: parsed.host || 'localhost', database: parsed.pathname.slice(1) || '(default)' }
}

function badUrl(why: string): SetupError {
  return new SetupError(
    'BAD_DATABASE_URL',
    `The database url cannot be used: ${why}. It reads \`postgres://user:password@host:5432/database\`.`,
  )
}
