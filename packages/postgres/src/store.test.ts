import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { type StoreData, storeContract } from 'handrail/testing/store-contract'
import { rows } from './pack.ts'
import { openTestDatabase, type TestDatabase } from './testing/index.ts'
import type { Db } from './transaction/handed.ts'

/** A pack with one table, `notes.notes`, for what services write. */
const notes = {
  schema: 'notes',
  migrationsFolder: fileURLToPath(new URL('./testing/notes-migrations', import.meta.url)),
}

for (const engine of ['pglite', 'postgres'] as const) {
  let database: TestDatabase | undefined
  const data: StoreData = {
    async write(db, tenantId, id) {
      await (db as Db).execute(sql`insert into notes.notes (tenant_id, id) values (${tenantId}, ${id})`) // the stores hand drizzle
    },
    async has(tenantId, id) {
      if (database === undefined) return false
      const found = await database.transaction(tenantId, (db) =>
        rows(db, sql`select from notes.notes where id = ${id}`),
      )
      return found.length > 0
    },
  }
  storeContract(
    engine,
    async () => {
      const store = await openTestDatabase({ engine, packs: [notes] })
      database = store
      return { store, close: () => store.close() }
    },
    { data },
  )
}
