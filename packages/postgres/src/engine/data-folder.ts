import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { SetupError } from 'handrail'
import { lockDataFolder } from './data-folder-lock.ts'
import type { Engine } from './engine.ts'
import { pgliteEngine } from './pglite-engine.ts'

const serverVersion = '18'
const ours = /^(lock|lock-journal|owner\.pid|database|database\.new-.*)$/

/**
 * Opens the embedded database in a folder of its own, and creates it there the first time.
 *
 * First creation is atomic: PGlite copies its files out one by one, and a process killed while it does leaves a
 * folder that never opens again. So the database is made under another name and moved in place when it is whole.
 *
 * @throws {SetupError} `DATA_FOLDER_IN_USE`, `DATA_FOLDER_NOT_A_DATABASE`, `DATA_FOLDER_OTHER_VERSION`, `DATA_FOLDER_UNUSABLE`.
 */
export async function openDataFolder(dataFolder: string): Promise<Engine> {
  const folder = resolve(dataFolder)
  prepare(folder)
  const unlock = lockDataFolder(folder)
  try {
    const database = join(folder, 'database')
    await createOnce(folder, database)
    const pglite = await PGlite.create({ dataDir: database }).catch((error: unknown) => {
      throw new SetupError(
        'DATA_FOLDER_UNUSABLE',
        `The database in \`${database}\` does not open. Restore it from a backup, or move it away.`,
        {
          cause: error,
        },
      )
    })
    return pgliteEngine(pglite, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new SetupError('DATA_FOLDER_UNUSABLE', `The data folder \`${folder}\` cannot be created.`, { cause: error })
  }
  const entries = readdirSync(folder)
  if (entries.length > 0 && !entries.some((entry) => ours.test(entry))) {
    throw new SetupError(
      'DATA_FOLDER_NOT_A_DATABASE',
      `The data folder \`${folder}\` holds other files and no database. Name an empty folder or one that does not exist.`,
    )
  }
}

async function createOnce(folder: string, database: string): Promise<void> {
  for (const entry of readdirSync(folder)) {
    if (entry.startsWith('database.new-')) rmSync(join(folder, entry), { recursive: true, force: true })
  }
  const versionFile = join(database, 'PG_VERSION')
  if (existsSync(versionFile)) {
    const version = readFileSync(versionFile, 'utf8').trim()
    if (version === serverVersion) return
    throw new SetupError(
      'DATA_FOLDER_OTHER_VERSION',
      `\`${database}\` was written by Postgres ${version}, this is Postgres ${serverVersion}. Export it with the version that wrote it.`,
    )
  }
  if (existsSync(database) && readdirSync(database).length > 0) {
    throw new SetupError('DATA_FOLDER_NOT_A_DATABASE', `\`${database}\` holds files that are not a database.`)
  }
  const fresh = join(folder, `database.new-${process.pid}`)
  const pglite = await PGlite.create({ dataDir: fresh })
  await pglite.close()
  rmSync(database, { recursive: true, force: true })
  renameSync(fresh, database)
}
