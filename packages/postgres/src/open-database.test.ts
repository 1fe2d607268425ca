import { claimed, fenceOf, freshTenant, sampleCall, sampleEnding } from 'handrail/testing/store-contract'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from './open-database.ts'
import { postgresStore } from './postgres-store.ts'
import { startTestPostgres, type TestPostgres } from './testing/index.ts'
import type { QueryClient } from './transaction/handed.ts'

const secret = 's3cr3t-passw0rd'

/** A pool whose connections may be cut off by the server's end. */
function quietPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 2 })
  pool.on('error', () => {})
  return pool
}

describe('openDatabase', { timeout: 30_000 }, () => {
  let server: TestPostgres
  let admin: pg.Pool
  beforeAll(async () => {
    server = await startTestPostgres()
    admin = quietPool(server.url)
  }, 30_000)
  afterAll(async () => {
    await admin.end()
    await server.stop()
  }, 30_000)

  const urlOf = (changes: Partial<URL>): string => Object.assign(new URL(server.url), changes).href
  const failure = (url: string) =>
    openDatabase({ url }).then(
      () => undefined,
      (error: unknown) => error,
    )

  it('needs to be told which database', async () => {
    await expect(openDatabase({})).rejects.toMatchObject({ code: 'DATABASE_NOT_NAMED' })
  })

  it.each([
    ['BAD_DATABASE_URL', 'what is no url', () => `not a url ${secret}`],
    ['BAD_DATABASE_URL', 'another kind of database', () => `mysql://user:${secret}@localhost/shop`],
    ['DATABASE_UNREACHABLE', 'a port where nobody listens', () => `postgres://user:${secret}@127.0.0.1:1/shop`],
    ['DATABASE_UNREACHABLE', 'a host that is not there', () => `postgres://user:${secret}@no-such-host.invalid/shop`],
    ['DATABASE_REFUSED', 'a wrong password', () => urlOf({ password: secret })],
    ['DATABASE_REFUSED', 'a database that is not there', () => urlOf({ pathname: '/no_such_database' })],
  ])('answers %s to %s, and never says the password', async (code, _what, url) => {
    const error = await failure(url())
    expect(error).toMatchObject({ name: 'SetupError', code })
    expect(String(error)).not.toContain(secret)
  })

  it('lets two servers start on an empty database at once', async () => {
    await admin.query('create database shared')
    const url = urlOf({ pathname: '/shared' })
    const opened = await Promise.all([openDatabase({ url }), openDatabase({ url }), openDatabase({ url })])
    const tenantId = freshTenant()
    const call = await claimed(opened[0], sampleCall(tenantId))
    expect(await opened[2].calls.get(tenantId, call.callId)).toEqual(call)
    await Promise.all(opened.map((database) => database.close()))
  })

  it('refuses a database that a newer version wrote', async () => {
    await admin.query('create database newer')
    const url = urlOf({ pathname: '/newer' })
    const database = await openDatabase({ url })
    await database.engine.script(
      `insert into handrail_migrations.applied (schema, hash) values ('handrail', 'from the future')`,
    )
    await database.close()
    expect(await failure(url)).toMatchObject({ code: 'DATABASE_NEWER' })
  })

  it('changes nothing when a migration fails', async () => {
    await admin.query('create database halfway')
    const url = urlOf({ pathname: '/halfway' })
    const inside = new pg.Client({ connectionString: url })
    await inside.connect()
    await inside.query('create schema handrail; create table handrail.steps (mine int)')
    expect(await failure(url)).toMatchObject({ code: 'MIGRATION_FAILED' })
    const { rows } = await inside.query(`select tablename from pg_tables where schemaname = 'handrail'`)
    expect(rows).toEqual([{ tablename: 'steps' }])
    await inside.end()
  })

  it('holds the wall for an ordinary owner that may not make a role', async () => {
    await admin.query(`create role plain login password 'plain'`)
    await admin.query('create database owned owner plain')
    // A server where the role was made for somebody else, or not at all.
    const database = await openDatabase({ url: urlOf({ pathname: '/owned', username: 'plain', password: 'plain' }) })
    const tenantId = freshTenant()
    const call = await claimed(database, sampleCall(tenantId))
    await database.calls.finish(fenceOf(call), sampleEnding(call))
    await database.transaction(freshTenant(), async (db) => {
      const { rows: seen } = await db.execute('select call_id from handrail.calls')
      expect(seen).toEqual([])
      expect((await db.execute('delete from handrail.ledger_entries')).rowCount).toBe(0)
    })
    await database.transaction(tenantId, async (db) => {
      expect((await db.execute('select call_id from handrail.calls')).rows).toEqual([{ call_id: call.callId }])
      expect((await db.execute('delete from handrail.ledger_entries')).rowCount).toBe(0)
    })
    await database.close()
  })

  it("gives the stores to an application's own pool and tables, and leaves the pool open", async () => {
    await admin.query('create database shop')
    const pool = quietPool(urlOf({ pathname: '/shop' }))
    await pool.query('create table orders (id int primary key, at timestamptz not null default now())')
    const store = await postgresStore({ pool, handle: 'client' })
    const tenantId = freshTenant()
    const [kept, undone] = [await claimed(store, sampleCall(tenantId)), await claimed(store, sampleCall(tenantId))]
    await store.calls.transact(fenceOf(kept), async ({ db }) => {
      const client = db as QueryClient // asked for with `handle`
      await client.query('insert into orders (id) values ($1)', [1])
      const { rows } = await client.query<{ id: number; at: Date }>('select * from orders')
      expect(rows).toEqual([{ id: 1, at: expect.any(Date) }])
      return sampleEnding(kept)
    })
    const failing = store.calls.transact(fenceOf(undone), async ({ db }) => {
      await (db as QueryClient).query('insert into orders (id) values (2)') // asked for with `handle`
      throw new Error('out of stock')
    })
    await expect(failing).rejects.toThrow('out of stock')
    await store.close()
    expect((await pool.query('select id from orders')).rows).toEqual([{ id: 1 }])
    await pool.end()
  })
})
