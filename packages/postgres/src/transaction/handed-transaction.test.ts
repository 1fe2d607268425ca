import { sql } from 'drizzle-orm'
import type { HandedTransaction } from 'handrail'
import { claimed, fenceOf, freshTenant, sampleCall, sampleEnding } from 'handrail/testing/store-contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../pack.ts'
import { openTestDatabase, type TestDatabase } from '../testing/index.ts'
import { notes } from '../testing/notes.ts'
import type { Db } from './handed.ts'

const deadline = new Error('the deadline has passed')
const dbOf = (transaction: HandedTransaction): Db => transaction.db as Db // these databases hand drizzle

describe.each(['pglite', 'postgres'] as const)('a handed transaction on %s', { timeout: 30_000 }, (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase({ engine, packs: [notes] })
  }, 30_000)
  afterAll(() => database.close(), 30_000)

  const noteIds = (tenantId: string) =>
    database.transaction(tenantId, (db) => rows<{ id: string }>(db, sql`select id from notes.notes order by id`))
  const add = (db: Db, tenantId: string, id: string) =>
    db.execute(sql`insert into notes.notes values (${tenantId}, ${id})`)

  it('takes no query any more once it is revoked, and leaves nothing', async () => {
    const tenantId = freshTenant()
    const call = await claimed(database, sampleCall(tenantId))
    const refused: unknown[] = []
    const work = database.calls.transact(fenceOf(call), async (transaction) => {
      await add(dbOf(transaction), tenantId, 'before')
      transaction.revoke(deadline)
      await add(dbOf(transaction), tenantId, 'after').catch((error: unknown) => refused.push(error))
      return sampleEnding(call)
    })
    await expect(work).rejects.toBe(deadline)
    expect(refused).toMatchObject([{ cause: deadline }])
    expect(await noteIds(tenantId)).toEqual([])
    expect(await database.calls.get(tenantId, call.callId)).toMatchObject({ status: 'running' })
  })

  it('is over when the work is over: what was kept of it takes no query', async () => {
    const tenantId = freshTenant()
    const kept = await database.transaction(tenantId, async (db) => db)
    await expect(add(kept, tenantId, 'late')).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining('has ended') }),
    })
    expect(await noteIds(tenantId)).toEqual([])
  })

  it('undoes an inner transaction alone', async () => {
    const tenantId = freshTenant()
    await database.transaction(tenantId, async (db) => {
      await add(db, tenantId, 'outer')
      await expect(
        db.transaction(async (inner) => {
          await inner.execute(sql`insert into notes.notes values (${tenantId}, 'inner')`)
          throw new Error('not this one')
        }),
      ).rejects.toThrow('not this one')
    })
    expect(await noteIds(tenantId)).toEqual([{ id: 'outer' }])
  })

  it('does not commit behind a failed statement that the tool swallowed', async () => {
    const tenantId = freshTenant()
    const call = await claimed(database, sampleCall(tenantId))
    const work = database.calls.transact(fenceOf(call), async (transaction) => {
      await add(dbOf(transaction), tenantId, 'once')
      await add(dbOf(transaction), tenantId, 'once').catch(() => {})
      return sampleEnding(call)
    })
    await expect(work).rejects.toMatchObject({ code: '25P02' })
    await expect(
      database.transaction(tenantId, async (db) => {
        await db.execute(sql`select nothing`).catch(() => {})
      }),
    ).rejects.toThrow()
    expect(await noteIds(tenantId)).toEqual([])
    expect(await database.calls.get(tenantId, call.callId)).toMatchObject({ status: 'running' })
  })

  it.each(['get', 'transact', 'transaction', 'signals'] as const)(
    'does not let its work use the outer database: %s',
    async (use) => {
      const tenantId = freshTenant()
      const call = await claimed(database, sampleCall(tenantId))
      const outer = {
        get: () => database.calls.get(tenantId, call.callId),
        transact: () => database.calls.transact(fenceOf(call), async () => sampleEnding(call)),
        transaction: () => database.transaction(tenantId, async () => 1),
        signals: () => database.signals.publish({ tenantId, topic: 'call', id: call.callId }),
      }[use]
      const work = database.calls.transact(fenceOf(call), async () => {
        await outer()
        return sampleEnding(call)
      })
      if (use === 'signals') expect(await work).toMatchObject({ kind: 'committed' })
      else await expect(work).rejects.toMatchObject({ code: 'OUTER_DATABASE_IN_TRANSACTION' })
    },
  )

  it('lets the outer database be used again by what it left behind', async () => {
    const tenantId = freshTenant()
    let later: Promise<unknown> | undefined
    const over = Promise.withResolvers<void>()
    await database.transaction(tenantId, async () => {
      later = over.promise.then(() => database.calls.get(tenantId, 'none'))
    })
    over.resolve()
    expect(await later).toBeUndefined()
  })

  it('of a reader for tools outside stays open for one query only, and cannot write', async () => {
    const tenantId = freshTenant()
    await database.transaction(tenantId, (db) => add(db, tenantId, 'seen'))
    const readers = database.calls.readersDb(tenantId)
    expect(await rows(dbOf(readers), sql`select id from notes.notes`)).toEqual([{ id: 'seen' }])
    await expect(add(dbOf(readers), tenantId, 'written')).rejects.toMatchObject({
      cause: expect.objectContaining({ code: '25006' }),
    })
    expect(await database.calls.get(tenantId, 'none')).toBeUndefined()
    readers.revoke(deadline)
    await expect(rows(dbOf(readers), sql`select 1`)).rejects.toMatchObject({ cause: deadline })
  })
})

describe('a handed transaction on a server', { timeout: 30_000 }, () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase({ engine: 'postgres', packs: [notes] })
  }, 30_000)
  afterAll(() => database.close(), 30_000)

  it('that is revoked stops a query that runs, and holds no lock afterwards', async () => {
    const tenantId = freshTenant()
    await database.transaction(tenantId, (db) => db.execute(sql`insert into notes.notes values (${tenantId}, 'held')`))
    const work = database.transaction(tenantId, async (db, transaction) => {
      await db.execute(sql`update notes.notes set id = 'changed'`)
      const sleeping = db.execute(sql`select pg_sleep(600)`)
      transaction.revoke(deadline)
      await sleeping
    })
    await expect(work).rejects.toMatchObject({ cause: deadline })
    await database.transaction(tenantId, (db) => db.execute(sql`delete from notes.notes`))
  })

  it('that is revoked disturbs no transaction beside or after it', async () => {
    const tenantId = freshTenant()
    const revoked = () =>
      database
        .transaction(tenantId, async (db, transaction) => {
          const sleeping = db.execute(sql`select pg_sleep(600)`)
          transaction.revoke(deadline)
          await sleeping
        })
        .catch(() => 'revoked')
    const ordinary = () => database.transaction(tenantId, (db) => rows(db, sql`select pg_sleep(0.001)`))
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? revoked() : ordinary())),
    )
    expect(outcomes.filter((outcome) => outcome === 'revoked')).toHaveLength(20)
    expect(outcomes.filter(Array.isArray)).toHaveLength(40)
  })

  it('that stands still is ended by the server, so that it holds nobody up for ever', async () => {
    const tenantId = freshTenant()
    const { openDatabase } = await import('../open-database.ts')
    const impatient = await openDatabase({ url: database.url ?? '', idleTimeoutMs: 50 })
    const work = impatient.transaction(tenantId, async (db) => {
      await db.execute(sql`select 1`)
      // The server's word that it closed the connection; no time is waited for here.
      for (let isThere = true; isThere; ) {
        const found = await database.engine.query({
          text: `select from pg_stat_activity where state = 'idle in transaction'`,
        })
        isThere = found.rows.length > 0
      }
      await db.execute(sql`select 1`)
    })
    await expect(work).rejects.toMatchObject({ cause: expect.objectContaining({ code: 'STORE_UNAVAILABLE' }) })
    expect(await impatient.calls.get(tenantId, 'none')).toBeUndefined()
    await impatient.close()
  })
})
