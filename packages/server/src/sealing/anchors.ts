import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Anchor, type Seal, SetupError } from 'handrail'
import { z } from 'zod'

const anchorsOnFile = z.record(z.string(), z.strictObject({ seq: z.int().positive(), signature: z.string() }))

/** Each workspace's newest seal, kept outside the database: shows when the end of its record was cut off. */
export interface Anchors {
  of(tenantId: string): Anchor | undefined
  keep(seal: Seal): void
}

/**
 * Keeps anchors in `anchors.json` of the data folder, which is replaced as a whole at each new seal.
 *
 * @throws {SetupError} `ANCHORS_UNUSABLE` when the file is there and cannot be read.
 */
export function anchorsInFolder(dataFolder: string): Anchors {
  const file = join(dataFolder, 'anchors.json')
  // A file that cannot be read stops the start, not the first look at it.
  read(file)
  return {
    of: (tenantId) => read(file)[tenantId],
    keep({ tenantId, seq, signature }) {
      // Several processes may seal on one machine: what is kept only ever goes forward.
      const anchors = read(file)
      if ((anchors[tenantId]?.seq ?? 0) >= seq) return
      const fresh = `${file}.new-${process.pid}`
      mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
      const content = JSON.stringify({ ...anchors, [tenantId]: { seq, signature } }, undefined, 2)
      writeFileSync(fresh, content, { mode: 0o600, flush: true })
      renameSync(fresh, file)
    },
  }
}

function read(file: string): Record<string, Anchor> {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw unusable(file, error)
  }
  try {
    return anchorsOnFile.parse(JSON.parse(content))
  } catch (error) {
    throw unusable(file, error)
  }
}

function unusable(file: string, cause: unknown): SetupError {
  const message = `The ledger's anchors in \`${file}\` cannot be read. Restore the file, or move it away: the record is then verified from its first seal, but not its end.`
  return new SetupError('ANCHORS_UNUSABLE', message, { cause })
}
