import type { PackTestDatabase, Snapshot } from 'handrail/testing'
import type { Engine } from '../engine/engine.ts'
import type { SchemaMigrations } from '../migrate/migrate.ts'
import { openTestDatabase } from './open-test-database.ts'

/**
 * A database of its own for a pack's tests, as `testPack` and `checkPack` want it.
 *
 * @example
 * await checkPack(gameplan, () => openPackDatabase(gameplan))
 */
export async function openPackDatabase(
  pack: { name: string; storage?: SchemaMigrations },
  engine: 'pglite' | 'postgres' = 'pglite',
): Promise<PackTestDatabase> {
  const { storage } = pack
  if (storage === undefined) throw new Error(`pack \`${pack.name}\` has no \`storage\``)
  const database = await openTestDatabase({ engine, packs: [storage] })
  return {
    store: database,
    transaction: (tenantId, work) => database.transaction(tenantId, (db) => work(db)),
    snapshot: () => snapshot(database.engine, storage.schema),
    plant: (tenantId, text) => plant(database.engine, storage.schema, tenantId, text),
    close: () => database.close(),
  }
}

/** Rows as JSON in one statement a table, in an order that does not depend on where they lie. */
async function snapshot(engine: Engine, schema: string): Promise<Snapshot> {
  const tables = await tablesOf(engine, schema)
  const contents = await Promise.all(
    tables.map(async (table): Promise<[string, unknown[]]> => {
      const { rows } = await engine.query<{ row: unknown }>({
        text: `select to_jsonb(t) as row from ${name(schema)}.${name(table)} t order by to_jsonb(t)::text`,
      })
      return [table, rows.map(({ row }) => row)]
    }),
  )
  return Object.fromEntries(contents)
}

/** Column by column, because a rule of the table may hold some texts to a form; those are left as they are. */
async function plant(engine: Engine, schema: string, tenantId: string, text: string): Promise<void> {
  const { rows: columns } = await engine.query<{ table_name: string; column_name: string }>({
    text: `select table_name, column_name from information_schema.columns text
      where table_schema = $1 and data_type in ('text', 'character varying') and is_generated = 'NEVER'
        and exists (select from information_schema.columns tenant where tenant.table_schema = text.table_schema
          and tenant.table_name = text.table_name and tenant.column_name = 'tenant_id')`,
    values: [schema],
  })
  for (const { table_name, column_name } of columns) {
    const column = name(column_name)
    await engine
      .query({
        text: `update ${name(schema)}.${name(table_name)} set ${column} = ${column} || ' ' || $2
          where tenant_id = $1 and ${column} like '% %'`,
        values: [tenantId, text],
      })
      .catch((error: unknown) => {
        if (!isRuleOfTable(error)) throw error
      })
  }
}

async function tablesOf(engine: Engine, schema: string): Promise<string[]> {
  const { rows } = await engine.query<{ table_name: string }>({
    text: `select table_name from information_schema.tables
      where table_schema = $1 and table_type = 'BASE TABLE' order by table_name`,
    values: [schema],
  })
  return rows.map(({ table_name }) => table_name)
}

/** Class 23: a constraint; 22001: too long for its column. */
function isRuleOfTable(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('23') || code === '22001'
}

function name(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}
