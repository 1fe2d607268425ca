import { SetupError } from 'handrail'
import type { Engine } from '../engine/engine.ts'

/** The role that handed transactions run as: it owns nothing, so row-level security holds for it. */
export const appRole = 'handrail_app'

interface TableState {
  name: string
  has_tenant: boolean
  secured: boolean
  granted: boolean
}

/** Tables of ours that may only grow. The role has no right to change or empty them. */
const appendOnly = ['ledger_entries', 'seals', 'seal_members']

function isAppendOnly(schema: string, table: string): boolean {
  return schema === 'handrail' && appendOnly.includes(table)
}

/**
 * Puts the second wall around a schema: every table with a `tenant_id` shows and takes rows of the transaction's
 * tenant only, for its owner, too. Does nothing where that already holds.
 *
 * @throws {SetupError} `TABLE_WITHOUT_TENANT` for a table that has no `tenant_id` and is not named as shared.
 */
export async function secureSchema(
  engine: Engine,
  schema: string,
  options: { role: boolean; sharedTables: readonly string[] },
): Promise<void> {
  const { role, sharedTables } = options
  const tables = await tablesOf(engine, schema, role)
  const open = tables
    .filter((table) => !table.has_tenant && !sharedTables.includes(table.name))
    .map((table) => table.name)
  if (open.length > 0) {
    throw new SetupError(
      'TABLE_WITHOUT_TENANT',
      `Tables of \`${schema}\` have no \`tenant_id\` column: ${open.join(', ')}. Add it, or name them in \`sharedTables\`.`,
    )
  }
  const statements = tables.flatMap((table) => [
    ...(table.has_tenant && !table.secured ? wall(schema, table.name) : []),
    ...(role && !table.granted ? grants(schema, table.name, table.has_tenant) : []),
  ])
  if (statements.length > 0) await engine.script(`BEGIN; ${statements.join('; ')}; COMMIT`)
}

/**
 * Creates the role where that is allowed, and says whether it can be used. Without it, forced row-level security
 * still binds an ordinary user.
 */
export async function createAppRole(engine: Engine): Promise<boolean> {
  if (await canUseAppRole(engine)) return true
  // Two servers may start at once: the loser finds the role made.
  await engine.script(`CREATE ROLE ${appRole} NOLOGIN`).catch(() => {})
  await engine.script(`GRANT ${appRole} TO CURRENT_USER`).catch(() => {})
  return canUseAppRole(engine)
}

async function canUseAppRole(engine: Engine): Promise<boolean> {
  try {
    await engine.script(`BEGIN; SET LOCAL ROLE ${appRole}; COMMIT`)
    return true
  } catch {
    await engine.script('ROLLBACK')
    return false
  }
}

async function tablesOf(engine: Engine, schema: string, role: boolean): Promise<TableState[]> {
  const { rows } = await engine.query<TableState>({
    text: `
      select c.relname as name,
        exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped) as has_tenant,
        c.relrowsecurity and c.relforcerowsecurity
          and exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'handrail_tenant') as secured,
        ${role ? `has_table_privilege('${appRole}', c.oid, 'SELECT')` : 'true'} as granted
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relkind in ('r', 'p') order by 1`,
    values: [schema],
  })
  return rows
}

function wall(schema: string, table: string): string[] {
  const name = `"${schema}"."${table}"`
  // The subselects make Postgres read the setting once a statement, not once a row.
  const own = `(tenant_id = (SELECT current_setting('handrail.tenant', true)) OR (SELECT current_setting('handrail.tenant', true)) = '*')`
  const policies = isAppendOnly(schema, table)
    ? [
        `CREATE POLICY handrail_tenant ON ${name} FOR SELECT USING ${own}`,
        `CREATE POLICY handrail_append ON ${name} FOR INSERT WITH CHECK ${own}`,
      ]
    : [`CREATE POLICY handrail_tenant ON ${name} USING ${own} WITH CHECK ${own}`]
  return [
    `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`,
    `ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`,
    `DROP POLICY IF EXISTS handrail_tenant ON ${name}`,
    `DROP POLICY IF EXISTS handrail_append ON ${name}`,
    ...policies,
  ]
}

function grants(schema: string, table: string, hasTenant: boolean): string[] {
  const rights = isAppendOnly(schema, table)
    ? 'SELECT, INSERT'
    : hasTenant
      ? 'SELECT, INSERT, UPDATE, DELETE'
      : 'SELECT'
  return [
    `GRANT USAGE ON SCHEMA "${schema}" TO ${appRole}`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA "${schema}" TO ${appRole}`,
    `GRANT ${rights} ON "${schema}"."${table}" TO ${appRole}`,
  ]
}
