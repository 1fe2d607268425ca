import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { createDatabase, type Database, ownMigrations } from '../database.ts'
import { pgEngine } from '../engine/pg-engine.ts'
import { pgliteEngine } from '../engine/pglite-engine.ts'
import { migrate, type SchemaMigrations } from '../migrate/migrate.ts'
import { openDatabase } from '../open-database.ts'
import { digestOf, pgliteFromTemplate } from './pglite-template.ts'
import { startTestPostgres, type TestPostgres } from './start-test-postgres.ts'

export interface TestDatabaseOptions {
  /** `pglite`: embedded, about half a second. `postgres`: a real server, started once for the process. */
  engine: 'pglite' | 'postgres'
  /** Schemas of packs that the test needs. */
  packs?: readonly SchemaMigrations[]
}

/** A database of a test's own. `url` is there with a real server, for a second connection or process. */
export interface TestDatabase extends Database {
  readonly url: string | undefined
}

/**
 * An empty database of its own for a test, with every schema migrated. Close it when the test is over.
 *
 * @example
 * const database = await openTestDatabase({ engine: 'pglite', packs: [gameplan.storage] })
 */
export async function openTestDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  const packs = options.packs ?? []
  return options.engine === 'pglite' ? openEmbedded(packs) : openOnServer(packs)
}

async function openEmbedded(packs: readonly SchemaMigrations[]): Promise<TestDatabase> {
  const schemas = [ownMigrations, ...packs]
  const pglite = await pgliteFromTemplate(schemas, async (fresh) => {
    await migrate(pgliteEngine(fresh), schemas)
  })
  const settings = { handle: 'drizzle', switchRole: true, idleTimeoutMs: 30_000, migrations: packs } as const
  return { ...(await createDatabase(pgliteEngine(pglite), settings)), url: undefined }
}

let server: Promise<TestPostgres> | undefined
const templates = new Map<string, Promise<string>>()
// CREATE DATABASE refuses a template that another one is copying from.
let copying: Promise<unknown> = Promise.resolve()

async function openOnServer(packs: readonly SchemaMigrations[]): Promise<TestDatabase> {
  server ??= startTestPostgres()
  const { url } = await server
  const key = digestOf([ownMigrations, ...packs])
  let template = templates.get(key)
  if (!template) {
    template = makeTemplate(url, key, packs)
    templates.set(key, template)
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const source = await template
  const copy = copying.then(() => administer(url, `CREATE DATABASE ${name} TEMPLATE ${source}`))
  copying = copy.catch(() => {})
  await copy
  const own = databaseUrl(url, name)
  const database = await openDatabase({ url: own, migrations: packs })
  return {
    ...database,
    url: own,
    async close() {
      await database.close()
      await administer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
  }
}

async function makeTemplate(url: string, key: string, packs: readonly SchemaMigrations[]): Promise<string> {
  const name = `template_${key}`
  await administer(url, `CREATE DATABASE ${name}`)
  const engine = pgEngine(new pg.Pool({ connectionString: databaseUrl(url, name) }), { ownsPool: true })
  await migrate(engine, [ownMigrations, ...packs])
  await engine.close()
  return name
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function databaseUrl(url: string, name: string): string {
  const own = new URL(url)
  own.pathname = `/${name}`
  return own.href
}
