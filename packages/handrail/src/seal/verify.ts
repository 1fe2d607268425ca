import type { LedgerEntry, Seal } from '../ledger/ledger-entry.ts'
import type { Store } from '../store/store.ts'
import { readRecord } from './read-record.ts'
import { checkSeal, isSignedBy, type SealKey } from './seal.ts'
import { verifyContent } from './verify-content.ts'

/**
 * A seal's number and signature, kept outside the database: shows that nothing up to it was cut off or exchanged, not
 * even by somebody with the key. The signature covers all seals before it.
 */
export interface Anchor {
  seq: number
  signature: string
}

export interface LedgerProblem {
  kind: 'edited' | 'missing' | 'reordered' | 'inserted' | 'bad-signature' | 'broken-chain' | 'anchor'
  /** The seal it was found at; undefined for what a call itself holds. */
  seq: number | undefined
  /** The call whose stored content is not what the record says. */
  callId: string | undefined
  /** For an operator. */
  message: string
}

export interface LedgerReport {
  /** Entries under seals, as they stand. */
  sealed: number
  /** Entries not yet under a seal: nothing vouches for these. */
  unsealed: number
  problems: LedgerProblem[]
  /** The last seal, to be kept outside as the next anchor. */
  head: Anchor | undefined
}

/**
 * Recomputes a workspace's record from the first seal to the last, and compares the content of its calls with it.
 *
 * Finds entries edited, deleted, reordered or inserted under a seal; seals deleted, exchanged with another workspace's
 * or made without the key; and calls whose arguments, result or status are not those on record. What it cannot see
 * without an anchor: that the newest seals were cut off together with their entries and calls.
 *
 * @param key the key the seals were signed with
 * @param anchor the `head` of an earlier report, kept outside the database
 */
export async function verifyLedger(
  store: Pick<Store, 'ledger' | 'calls'>,
  tenantId: string,
  key: SealKey,
  anchor?: Anchor,
): Promise<LedgerReport> {
  const problems: LedgerProblem[] = []
  let previous: Seal | undefined
  let anchored: Seal | undefined

  const record = await readRecord(store.ledger, tenantId, (seal, entries) => {
    problems.push(...sealProblems(seal, entries, previous, tenantId, key))
    if (seal.seq === anchor?.seq) anchored = seal
    previous = seal
  })
  if (anchor !== undefined && anchored?.signature !== anchor.signature) {
    const message =
      anchored === undefined
        ? `The record ends before seal ${anchor.seq}, which was kept as an anchor`
        : `Seal ${anchor.seq} is not the one that was kept as an anchor`
    problems.push({ kind: 'anchor', seq: anchor.seq, callId: undefined, message })
  }
  for (const problem of await verifyContent(store, tenantId, record)) problems.push({ ...problem, seq: undefined })
  return {
    sealed: record.sealed,
    unsealed: record.unsealed,
    problems,
    head: previous && { seq: previous.seq, signature: previous.signature },
  }
}

function sealProblems(
  seal: Seal,
  entries: readonly LedgerEntry[],
  previous: Seal | undefined,
  tenantId: string,
  key: SealKey,
): LedgerProblem[] {
  const { seq } = seal
  const expectedSeq = (previous?.seq ?? 0) + 1
  const found: LedgerProblem[] = []
  const note = (kind: LedgerProblem['kind'], message: string, where = seq): void => {
    found.push({ kind, seq: where, callId: undefined, message })
  }
  if (!isSignedBy(key, seal)) note('bad-signature', `Seal ${seq}, as it stands, was not signed with this key`)
  if (seq > expectedSeq) note('missing', `Seals ${expectedSeq} to ${seq - 1} are missing`, expectedSeq)
  if (seq < expectedSeq) note('reordered', `Seal ${seq} stands where seal ${expectedSeq} belongs`)
  if (seal.previous !== previous?.signature) note('broken-chain', `Seal ${seq} does not follow the one before it`)
  if (seal.tenantId !== tenantId) note('broken-chain', `Seal ${seq} belongs to another workspace`)
  const check = checkSeal(seal, entries)
  if (check !== 'intact') {
    note(check, `${words[check]} under seal ${seq} (sealed: ${seal.count}, found: ${entries.length})`)
  }
  return found
}

const words = {
  edited: 'An entry was edited',
  missing: 'Entries are missing',
  reordered: 'Entries were reordered',
  inserted: 'Entries were inserted',
}
