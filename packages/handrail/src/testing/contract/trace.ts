import type { CallOutcome } from '../../gate/call-request.ts'
import { canonicalJson } from '../../ledger/digest.ts'
import type { LedgerEntry } from '../../ledger/ledger-entry.ts'
import type { Snapshot } from '../pack-test-database.ts'
import type { TestPack } from '../test-pack.ts'

/** One call and what it left behind. */
export interface Trace {
  outcome: CallOutcome
  /** Tables whose rows are not what they were before. */
  changed: string[]
  /** The ledger's lines about the call, in order. */
  entries: LedgerEntry[]
}

/** Carries something out and says what it left behind. */
export async function trace(workspace: TestPack, act: () => Promise<CallOutcome>): Promise<Trace> {
  const { database } = workspace
  const before = await database.snapshot()
  const outcome = await act()
  const changed = changedTables(before, await database.snapshot())
  return { outcome, changed, entries: await entriesOf(workspace, outcome) }
}

/** The ledger's lines about one call. */
export async function entriesOf({ database }: TestPack, { record }: CallOutcome): Promise<LedgerEntry[]> {
  const entries = await database.store.ledger.unsealed(record.principal.tenantId)
  return entries.filter(({ callId }) => callId === record.callId)
}

export function changedTables(before: Snapshot, after: Snapshot): string[] {
  const tables = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...tables].filter((table) => canonicalJson(before[table]) !== canonicalJson(after[table]))
}

/** How a call went, in a few words for a problem's sentence. */
export function told({ result }: CallOutcome): string {
  if ('requiresConfirmation' in result) return 'it asked'
  return result.success ? 'it succeeded' : `${result.code}: ${result.error}`
}
