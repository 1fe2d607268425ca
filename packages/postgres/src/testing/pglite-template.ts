import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { SchemaMigrations } from '../migrate/migrate.ts'

const inProcess = new Map<string, Promise<Blob>>()

/**
 * A new in-memory PGlite with `prepare` already done, in about 0.4 s instead of several: prepared once, then
 * loaded from a dump. The dump is kept in the temporary folder under a digest of everything that went into it.
 */
export async function pgliteFromTemplate(
  schemas: readonly SchemaMigrations[],
  prepare: (pglite: PGlite) => Promise<void>,
): Promise<PGlite> {
  const key = digestOf(schemas)
  let template = inProcess.get(key)
  if (!template) {
    template = loadOrMake(key, prepare)
    inProcess.set(key, template)
  }
  return PGlite.create({ loadDataDir: await template })
}

async function loadOrMake(key: string, prepare: (pglite: PGlite) => Promise<void>): Promise<Blob> {
  const folder = join(tmpdir(), 'handrail-test-templates')
  const file = join(folder, `${key}.tar.gz`)
  if (existsSync(file)) return new Blob([readFileSync(file)])
  const pglite = await PGlite.create()
  await prepare(pglite)
  const dump = await pglite.dumpDataDir('gzip')
  await pglite.close()
  mkdirSync(folder, { recursive: true })
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, Buffer.from(await dump.arrayBuffer()))
  renameSync(unfinished, file)
  return dump
}

export function digestOf(schemas: readonly SchemaMigrations[]): string {
  const hash = createHash('sha256')
  hash.update(readFileSync(new URL('../../package.json', import.meta.url)))
  for (const name of ['migrate.ts', 'secure-schema.ts'])
    hash.update(readFileSync(new URL(`../migrate/${name}`, import.meta.url)))
  for (const { schema, migrationsFolder, sharedTables } of schemas) {
    hash.update(JSON.stringify([schema, sharedTables]))
    for (const name of readdirSync(migrationsFolder).sort()) {
      if (name.endsWith('.sql')) hash.update(name).update(readFileSync(join(migrationsFolder, name)))
    }
  }
  return hash.digest('hex').slice(0, 32)
}
