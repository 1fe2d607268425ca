import { readFileSync } from 'node:fs'
import type { Database } from '@handrail/postgres'
import {
  type Approval,
  type LedgerEntry,
  type LedgerReport,
  type Page,
  type Run,
  type StoredCall,
  verifyLedger,
} from 'handrail'
import type { NotedStart } from './downstream.ts'
import type { HistoryLine } from './history.ts'

/** Everything the check looks at: what clients heard, and what the rows and the service outside say in the end. */
export interface Observed {
  history: readonly HistoryLine[]
  calls: readonly StoredCall[]
  approvals: readonly Approval[]
  runs: readonly Run[]
  steps: readonly StepRow[]
  messages: readonly { tenantId: string; threadId: string; messageId: string }[]
  queuedMessages: number
  entries: readonly { tenantId: string; callId: string; note: string }[]
  starts: readonly NotedStart[]
  /** In the order they were written. */
  ledger: readonly LedgerEntry[]
  reports: readonly LedgerReport[]
  /** Everything was at rest before the time was over. */
  isSettled: boolean
  accidents: readonly string[]
}

export interface StepRow {
  tenantId: string
  runId: string
  step: number
  callIds: string[]
  at: number
}

/** Reads the final state of all workspaces. */
export async function observe(
  database: Database,
  sealKey: string,
  startsFile: string,
  heard: Pick<Observed, 'history' | 'isSettled' | 'accidents'>,
): Promise<Observed> {
  const tenants = await database.ledger.tenants()
  const query = async <Row>(text: string) => (await database.engine.query<Row>({ text })).rows
  const each = async <T>(read: (tenantId: string, cursor?: string) => Promise<Page<T>>): Promise<T[]> =>
    (await Promise.all(tenants.map((tenantId) => everyPage((cursor) => read(tenantId, cursor))))).flat()
  const paged = (cursor: string | undefined) => ({ limit: 200, ...(cursor ? { cursor } : {}) })

  const steps = await query<{
    tenant_id: string
    run_id: string
    step: number
    calls: { callId: string }[]
    at: string
  }>('select tenant_id, run_id, step, calls, created_at as at from handrail.steps')
  const queued = await query<{ queued: number }>('select count(*)::int as queued from handrail.queued_messages')
  const ledger = await query<{ entry_id: string; seq: number }>('select entry_id, seq from handrail.ledger_entries')
  const order = new Map(ledger.map(({ entry_id, seq }) => [entry_id, seq]))
  return {
    ...heard,
    calls: await each((tenantId, cursor) => database.calls.list(tenantId, paged(cursor))),
    approvals: await each((tenantId, cursor) => database.approvals.list(tenantId, paged(cursor))),
    runs: await each((tenantId, cursor) => database.runs.list(tenantId, paged(cursor))),
    steps: steps.map(({ tenant_id: tenantId, run_id: runId, step, calls, at }) => ({
      tenantId,
      runId,
      step,
      callIds: calls.map(({ callId }) => callId),
      at: Date.parse(at),
    })),
    messages: await query(
      'select tenant_id as "tenantId", thread_id as "threadId", message_id as "messageId" from handrail.messages',
    ),
    queuedMessages: queued[0]?.queued ?? 0,
    entries: await query('select tenant_id as "tenantId", call_id as "callId", note from chaos.entries'),
    starts: readFileSync(startsFile, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
    ledger: (await entriesOf(database, tenants)).sort(
      (a, b) => (order.get(a.entryId) ?? 0) - (order.get(b.entryId) ?? 0),
    ),
    reports: await Promise.all(tenants.map((tenantId) => verifyLedger(database, tenantId, sealKey))),
  }
}

async function everyPage<T>(read: (cursor?: string) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = []
  let cursor: string | undefined
  do {
    const page = await read(cursor)
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return items
}

async function entriesOf(database: Database, tenants: readonly string[]): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = []
  for (const tenantId of tenants) {
    for await (const sealed of database.ledger.sealed(tenantId)) entries.push(...sealed.entries)
    entries.push(...(await database.ledger.unsealed(tenantId)))
  }
  return entries
}
