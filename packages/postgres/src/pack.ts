import type { SQL } from 'drizzle-orm'
import type { Db } from './transaction/handed.ts'

export type { SchemaMigrations } from './migrate/migrate.ts'
export type { Db, QueryClient } from './transaction/handed.ts'

/**
 * Runs raw SQL and names the rows' type: whoever writes the statement knows its columns.
 *
 * @example
 * await rows<{ total: number }>(db, sql`select count(*) as total from gameplan.projects`) // [{ total: 3 }]
 */
export async function rows<Row extends Record<string, unknown>>(db: Db, query: SQL): Promise<Row[]> {
  const result = await db.execute<Row>(query)
  // drizzle types the row as pg's loose record.
  return result.rows as Row[]
}
