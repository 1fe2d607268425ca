import type { LedgerEntry } from 'handrail'
import { type Columns, moment, names, placeholders, present, selected } from './columns.ts'
import type { StoreSession } from './store-transactions.ts'

/** Columns of a ledger entry as they are inserted; the moment is the database's. */
export const entryColumns = {
  tenant_id: 'text',
  entry_id: 'uuid',
  event: 'text',
  call_id: 'text',
  pack: 'text',
  tool_name: 'text',
  status: 'text',
  user_id: 'text',
  actor: 'text',
  door: 'text',
  run_id: 'text',
  approval_id: 'text',
  input_digest: 'digest',
  result_digest: 'digest',
} as const satisfies Columns

export function entryValues(entry: LedgerEntry): unknown[] {
  return [
    entry.tenantId,
    entry.entryId,
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
  ]
}

const insert = {
  name: 'handrail.append_entry',
  text: `insert into handrail.ledger_entries (at, ${names(entryColumns)}) values (now(), ${placeholders(entryColumns, 1)})`,
}

/** Appends one line, in the transaction of the change it records. */
export async function append(session: StoreSession, entry: LedgerEntry): Promise<void> {
  await session.query({ ...insert, values: entryValues(entry) })
}

/** Entries as they are read, from a table or query named `e`. */
export const entrySelection = `e.seq, e.at, ${selected(entryColumns, 'e')}`

export interface EntryRow {
  seq: number
  tenant_id: string
  entry_id: string
  at: string
  event: LedgerEntry['event']
  call_id: string
  pack: string
  tool_name: string
  status: LedgerEntry['status']
  user_id: string
  actor: LedgerEntry['actor']
  door: string
  run_id: string | null
  approval_id: string | null
  input_digest: string
  result_digest: string | null
}

export function toEntry(row: EntryRow): LedgerEntry {
  return {
    entryId: row.entry_id,
    tenantId: row.tenant_id,
    at: moment(row.at),
    event: row.event,
    callId: row.call_id,
    pack: row.pack,
    toolName: row.tool_name,
    status: row.status,
    userId: row.user_id,
    actor: row.actor,
    door: row.door,
    runId: present(row.run_id),
    approvalId: present(row.approval_id),
    inputDigest: row.input_digest,
    resultDigest: present(row.result_digest),
  }
}
