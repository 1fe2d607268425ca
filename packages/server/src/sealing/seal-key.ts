import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from 'handrail'
import type { Secret } from '../config/read-config.ts'

const keyBytes = 32

/**
 * The key that seals are signed with, outside the database: derived from the operator's secret, or else a file of the
 * data folder that only its owner can read, made the first time.
 *
 * @throws {SetupError} `SEAL_KEY_UNUSABLE`
 */
export function sealKey(secret: Secret | undefined, dataFolder: string): Buffer {
  return secret?.keyFor('seal') ?? keyOfFile(dataFolder)
}

function keyOfFile(dataFolder: string): Buffer {
  const file = join(dataFolder, 'seal.key')
  const found = read(file)
  if (found) return found
  const fresh = `${file}.new-${process.pid}`
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
    writeFileSync(fresh, `${randomBytes(keyBytes).toString('hex')}\n`, { mode: 0o600, flush: true })
    // A link fails where a file stands: of two processes that start at once, both then use the first one's key.
    linkSync(fresh, file)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw unusable(file, error)
  } finally {
    rmSync(fresh, { force: true })
  }
  return read(file) ?? fail(file)
}

function read(file: string): Buffer | undefined {
  try {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
    return key.length === keyBytes ? key : fail(file)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error instanceof SetupError ? error : unusable(file, error)
  }
}

function fail(file: string): never {
  throw unusable(file, undefined)
}

function unusable(file: string, cause: unknown): SetupError {
  const message = `The seal key \`${file}\` cannot be used. It holds ${keyBytes} bytes in hexadecimal; restore it, since seals made with it can be verified with nothing else.`
  return new SetupError('SEAL_KEY_UNUSABLE', message, { cause })
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
