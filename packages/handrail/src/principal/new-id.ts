import { randomFillSync } from 'node:crypto'

const pool = new Uint8Array(16 * 256)
let used = pool.length
let lastMs = 0
let counter = 0

/**
 * A UUID version 7 (RFC 9562): unguessable, and in order of creation, so that indexes stay compact and lists sort by id.
 * Ids made in one millisecond by one process keep their order by the 12-bit counter.
 */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = pool.subarray(used, used + 16)
  used += 16
  const now = Date.now()
  if (now > lastMs) {
    lastMs = now
    counter = 0
  } else if (++counter > 0xfff) {
    lastMs += 1
    counter = 0
  }
  const time = lastMs.toString(16).padStart(12, '0')
  const random = Buffer.from(bytes.buffer, bytes.byteOffset + 8, 8).toString('hex')
  const variant = ((Number.parseInt(random.charAt(0), 16) & 0x3) | 0x8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${variant}${random.slice(1, 4)}-${random.slice(4)}`
}
