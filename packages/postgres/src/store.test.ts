import { sql } from 'drizzle-orm'
import { type StoreData, storeContract } from 'handrail/testing/store-contract'
import { rows } from './pack.ts'
import { openTestDatabase, type TestDatabase } from './testing/index.ts'
import { notes } from './testing/notes.ts'
import type { Db } from './transaction/handed.ts'

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
