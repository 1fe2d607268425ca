import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { LedgerEntry, Seal } from '../ledger/ledger-entry.ts'

/** The key that signs seals. It lies outside the database: who can write there cannot sign. At least 32 bytes. */
export type SealKey = string | Uint8Array

/**
 * Makes the function that puts entries under a seal: hand it to `store.ledger.seal`.
 *
 * @param key signs the seal
 * @param now when it is sealed; signed too
 */
export function makeSeal(key: SealKey, now: () => Date = () => new Date()) {
  return (entries: readonly LedgerEntry[], previous: Seal | undefined): Seal => {
    const [first] = entries
    if (first === undefined) throw new RangeError('There is nothing to seal')
    const unsigned: Omit<Seal, 'signature'> = {
      tenantId: first.tenantId,
      seq: (previous?.seq ?? 0) + 1,
      sealedAt: now(),
      count: entries.length,
      root: rootOf(entries),
      previous: previous?.signature,
    }
    return { ...unsigned, signature: signatureOf(key, unsigned) }
  }
}

/** Was this seal signed with this key, as it stands? */
export function isSignedBy(key: SealKey, seal: Seal): boolean {
  const expected = Buffer.from(signatureOf(key, seal))
  const actual = Buffer.from(seal.signature)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

export type SealCheck = 'intact' | 'edited' | 'missing' | 'reordered' | 'inserted'

/** Do the entries that stand under a seal still read as they were sealed, and if not, what became of them? */
export function checkSeal(seal: Seal, entries: readonly LedgerEntry[]): SealCheck {
  const root = rootOf(entries)
  if (root === seal.root && entries.length === seal.count) return 'intact'
  if (entries.length < seal.count) return 'missing'
  if (entries.length > seal.count) return 'inserted'
  return root.slice(64) === seal.root.slice(64) ? 'reordered' : 'edited'
}

/**
 * Two SHA-256 one after the other: over the entries' digests in order, and over the same digests sorted. The second
 * tells a changed order from a changed entry.
 */
export function rootOf(entries: readonly LedgerEntry[]): string {
  const digests = entries.map(entryDigest)
  const inOrder = hash('sha256', fields(digests))
  return inOrder + hash('sha256', fields(digests.sort()))
}

function entryDigest(entry: LedgerEntry): string {
  return hash(
    'sha256',
    fields([
      entry.entryId,
      entry.tenantId,
      String(entry.at.getTime()),
      entry.event,
      entry.callId,
      entry.pack,
      entry.toolName,
      entry.status,
      entry.userId,
      entry.actor,
      entry.door,
      entry.runId,
      entry.approvalId,
      entry.inputDigest,
      entry.resultDigest,
    ]),
  )
}

function signatureOf(key: SealKey, seal: Omit<Seal, 'signature'>): string {
  const { tenantId, seq, sealedAt, count, root, previous } = seal
  const text = fields([tenantId, String(seq), String(sealedAt.getTime()), String(count), root, previous])
  return createHmac('sha256', key).update(text).digest('hex')
}

/** Each field behind its length, an absent one as `-`: no two lists of fields read the same. */
function fields(values: readonly (string | undefined | null)[]): string {
  let text = `${values.length};`
  for (const value of values) text += value === undefined || value === null ? '-;' : `${value.length}:${value};`
  return text
}
