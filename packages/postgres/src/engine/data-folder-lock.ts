import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SetupError } from 'handrail'

/**
 * Makes this process the only owner of a data folder, until the returned function is called or the process ends.
 *
 * Node has no file locks, SQLite does: an exclusive transaction on an empty database is a lock that the operating
 * system itself takes back from a process that was killed. There is no stale state to clear, hence no race in
 * clearing it, and a stopped owner (SIGSTOP) keeps what it has.
 *
 * @throws {SetupError} `DATA_FOLDER_IN_USE`, with the owner's process id.
 */
export function lockDataFolder(folder: string): () => void {
  const owner = join(folder, 'owner.pid')
  const lock = new DatabaseSync(join(folder, 'lock'))
  try {
    lock.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw new SetupError(
      'DATA_FOLDER_IN_USE',
      `The data folder \`${folder}\` is in use by process ${readOwner(owner)}. Stop that process, or talk to its server.`,
      { cause: error },
    )
  }
  writeFileSync(owner, String(process.pid))
  return () => lock.close()
}

function readOwner(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '(unknown)'
  }
}
