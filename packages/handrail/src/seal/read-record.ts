import type { LedgerEntry, Seal } from '../ledger/ledger-entry.ts'
import type { LedgerStore } from '../store/store.ts'

/** A workspace's whole record, read once. */
export interface LedgerRecord {
  sealed: number
  unsealed: number
  /** The newest entry about each call, erasures aside. */
  latest: Map<string, LedgerEntry>
  erased: Set<string>
}

/**
 * Reads a workspace's record from the first entry to the last, while others go on writing and sealing.
 *
 * @param onSeal is shown each seal with the entries under it, in order
 */
export async function readRecord(
  ledger: LedgerStore,
  tenantId: string,
  onSeal: (seal: Seal, entries: readonly LedgerEntry[]) => void = () => {},
): Promise<LedgerRecord> {
  const latest = new Map<string, LedgerEntry>()
  const erased = new Set<string>()
  const remember = (entry: LedgerEntry): void => {
    if (entry.event === 'erased') erased.add(entry.callId)
    else latest.set(entry.callId, entry)
  }
  // The unsealed first: what is sealed while we read is then seen twice instead of never.
  const unsealed = new Map((await ledger.unsealed(tenantId)).map((entry) => [entry.entryId, entry]))
  let sealed = 0
  for await (const { seal, entries } of ledger.sealed(tenantId)) {
    onSeal(seal, entries)
    sealed += entries.length
    for (const entry of entries) {
      remember(entry)
      unsealed.delete(entry.entryId)
    }
  }
  for (const entry of unsealed.values()) remember(entry)
  return { sealed, unsealed: unsealed.size, latest, erased }
}
