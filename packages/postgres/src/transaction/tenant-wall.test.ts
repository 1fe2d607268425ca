import { sql } from 'drizzle-orm'
import { claimed, sampleCall } from 'handrail/testing/store-contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../pack.ts'
import { openTestDatabase, type TestDatabase } from '../testing/index.ts'
import { notes } from '../testing/notes.ts'

/** The error that Postgres gave, below the one that drizzle wraps around it. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('it was not refused'),
    (reason: unknown) => reason,
  )
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
}

describe.each(['pglite', 'postgres'] as const)('the tenant wall on %s', { timeout: 30_000 }, (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase({ engine, packs: [notes] })
    await database.transaction('acme', (db) => db.execute(sql`insert into notes.notes values ('acme', 'plan')`))
    await claimed(database, sampleCall('acme'))
  }, 30_000)
  afterAll(() => database.close(), 30_000)

  it('shows a workspace its own rows, whatever a statement asks for', async () => {
    const all = sql`select tenant_id from notes.notes union all select tenant_id from handrail.calls union all select tenant_id from handrail.ledger_entries`
    expect(await database.transaction('acme', (db) => rows(db, all))).toHaveLength(3)
    expect(await database.transaction('other', (db) => rows(db, all))).toEqual([])
  })

  it('takes no row of another workspace', async () => {
    const insert = database.transaction('other', (db) =>
      db.execute(sql`insert into notes.notes values ('acme', 'stolen')`),
    )
    expect(await refusal(insert)).toContain('row-level security')
  })

  it('changes and removes no row of another workspace', async () => {
    await database.transaction('other', async (db) => {
      expect((await db.execute(sql`update notes.notes set id = 'changed'`)).rowCount).toBe(0)
      expect((await db.execute(sql`delete from notes.notes`)).rowCount).toBe(0)
    })
    expect(await database.transaction('acme', (db) => rows(db, sql`select id from notes.notes`))).toEqual([
      { id: 'plan' },
    ])
  })

  it('moves no row to another workspace', async () => {
    const move = database.transaction('acme', (db) => db.execute(sql`update notes.notes set tenant_id = 'other'`))
    expect(await refusal(move)).toContain('row-level security')
  })

  it('lets nobody change, remove or empty what is on record', async () => {
    for (const statement of [
      sql`update handrail.ledger_entries set status = 'done'`,
      sql`delete from handrail.ledger_entries`,
      sql`truncate handrail.ledger_entries`,
      sql`delete from handrail.seals`,
    ]) {
      expect(await refusal(database.transaction('acme', (db) => db.execute(statement)))).toContain('permission denied')
    }
  })

  it('stands around every table of ours', async () => {
    const { rows: open } = await database.engine.query({
      text: `select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('handrail', 'notes') and relkind = 'r' and not (relrowsecurity and relforcerowsecurity)`,
    })
    expect(open).toEqual([])
  })

  it.each(['', '*', 'a\u0000b'])('opens no transaction for %j, which is no workspace', async (tenantId) => {
    await expect(database.transaction(tenantId, async () => 1)).rejects.toThrow('needs the id of one tenant')
  })

  it.each(["o'neill", 'back\\slash', "'; reset role; --", 'ümläut 🪜'])(
    'takes %j for the name of a workspace, and nothing else',
    async (tenantId) => {
      await database.transaction(tenantId, (db) =>
        db.execute(sql`insert into notes.notes values (${tenantId}, 'mine')`),
      )
      const seen = await database.transaction(tenantId, (db) =>
        rows(db, sql`select tenant_id, current_user as role from notes.notes`),
      )
      expect(seen).toEqual([{ tenant_id: tenantId, role: 'handrail_app' }])
    },
  )

  it('refuses a schema with a table that has no workspace, unless it is named as shared', async () => {
    await database.engine.script('create table notes.words (word text primary key)')
    await expect(database.migratePack(notes)).rejects.toMatchObject({ code: 'TABLE_WITHOUT_TENANT' })
    await database.migratePack({ ...notes, sharedTables: ['words'] })
    expect(await database.transaction('other', (db) => rows(db, sql`select word from notes.words`))).toEqual([])
    const write = database.transaction('other', (db) => db.execute(sql`insert into notes.words values ('mine')`))
    expect(await refusal(write)).toContain('permission denied')
    await database.engine.script('drop table notes.words')
  })
})
