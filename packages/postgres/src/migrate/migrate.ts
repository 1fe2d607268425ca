import { readMigrationFiles } from 'drizzle-orm/migrator'
import { SetupError } from 'handrail'
import type { Engine } from '../engine/engine.ts'
import { createAppRole, secureSchema } from './secure-schema.ts'

/** A pack's (or our own) Postgres schema, and the folder of its generated migrations. */
export interface SchemaMigrations {
  schema: string
  migrationsFolder: string
  /** Tables without a `tenant_id`, readable by every tenant. Naming them here is the confirmation. */
  sharedTables?: readonly string[]
}

/**
 * Brings schemas up to date, each in one transaction, while no other process does the same.
 * Which migrations were applied is kept in `handrail_migrations.applied`.
 *
 * @returns Whether the role of handed transactions can be used.
 * @throws {SetupError} `BAD_SCHEMA_NAME`, `MIGRATIONS_NOT_FOUND`, `MIGRATION_FAILED`, `DATABASE_NEWER` (a newer
 *   version of this application wrote it), `TABLE_WITHOUT_TENANT`.
 */
export async function migrate(
  engine: Engine,
  schemas: readonly SchemaMigrations[],
  options: { switchRole: boolean } = { switchRole: true },
): Promise<{ role: boolean }> {
  const plans = schemas.map((migrations) => ({ ...migrations, files: readFiles(migrations) }))
  return engine.exclusively('handrail.migrations', async () => {
    const role = options.switchRole && (await createAppRole(engine))
    await engine.script(`
      CREATE SCHEMA IF NOT EXISTS handrail_migrations;
      CREATE TABLE IF NOT EXISTS handrail_migrations.applied (
        schema text NOT NULL, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (schema, hash)
      )`)
    for (const plan of plans) {
      const applied = await appliedHashes(engine, plan.schema)
      const known = new Set(plan.files.map((file) => file.hash))
      if ([...applied].some((hash) => !known.has(hash))) {
        throw new SetupError(
          'DATABASE_NEWER',
          `The schema \`${plan.schema}\` holds migrations that this version does not know. Start the version that wrote it, or a newer one.`,
        )
      }
      const open = plan.files.filter((file) => !applied.has(file.hash))
      if (open.length > 0) await apply(engine, plan.schema, open)
      await secureSchema(engine, plan.schema, { role, sharedTables: plan.sharedTables ?? [] })
    }
    return { role }
  })
}

interface MigrationFile {
  sql: string[]
  hash: string
}

function readFiles({ schema, migrationsFolder }: SchemaMigrations): MigrationFile[] {
  if (!/^[a-z][a-z0-9_]{0,40}$/.test(schema)) {
    throw new SetupError(
      'BAD_SCHEMA_NAME',
      `\`${schema}\` is not a schema name: lower case letters, digits and _, at most 41.`,
    )
  }
  try {
    return readMigrationFiles({ migrationsFolder })
  } catch (error) {
    throw new SetupError(
      'MIGRATIONS_NOT_FOUND',
      `The migrations of \`${schema}\` cannot be read from \`${migrationsFolder}\`.`,
      {
        cause: error,
      },
    )
  }
}

async function appliedHashes(engine: Engine, schema: string): Promise<Set<string>> {
  const { rows } = await engine.query<{ hash: string }>({
    text: 'select hash from handrail_migrations.applied where schema = $1',
    values: [schema],
  })
  return new Set(rows.map((row) => row.hash))
}

async function apply(engine: Engine, schema: string, files: readonly MigrationFile[]): Promise<void> {
  const statements = files.flatMap((file) => [
    // drizzle-kit writes CREATE SCHEMA without a guard; an operator may have made the schema already.
    ...file.sql.map((sql) =>
      sql.replace(/^\s*CREATE SCHEMA (?!IF NOT EXISTS)/i, 'CREATE SCHEMA IF NOT EXISTS ').replace(/;?\s*$/, ''),
    ),
    `INSERT INTO handrail_migrations.applied (schema, hash) VALUES ('${schema}', '${file.hash}')`,
  ])
  try {
    await engine.script(`BEGIN;\nSET LOCAL handrail.tenant TO '*';\n${statements.join(';\n')};\nCOMMIT`)
  } catch (error) {
    await engine.script('ROLLBACK').catch(() => {})
    throw new SetupError('MIGRATION_FAILED', `The schema \`${schema}\` could not be migrated; nothing was changed.`, {
      cause: error,
    })
  }
}
