import type { CallPayload, StoredCall } from '../ledger/call-record.ts'
import { callDigest, saltedDigest } from '../ledger/digest.ts'
import type { LedgerEntry } from '../ledger/ledger-entry.ts'
import type { Store } from '../store/store.ts'
import { type LedgerRecord, readRecord } from './read-record.ts'

export interface ContentProblem {
  kind: 'edited' | 'missing' | 'inserted'
  callId: string
  message: string
}

const pageLength = 200

/**
 * Compares what the stored calls hold with the newest entry about each: arguments, result and status.
 *
 * Calls go on while this reads, so a difference counts only when the record, read again after the call, still ends
 * with the same entry.
 */
export async function verifyContent(
  store: Pick<Store, 'ledger' | 'calls'>,
  tenantId: string,
  record: LedgerRecord,
): Promise<ContentProblem[]> {
  let suspects = await differing(store, tenantId, record)
  const problems: ContentProblem[] = []
  let before = record
  while (suspects.length > 0) {
    const now = await readRecord(store.ledger, tenantId)
    const moved: ContentProblem[] = []
    for (const suspect of suspects) {
      const { callId } = suspect
      const isStill = before.latest.get(callId)?.entryId === now.latest.get(callId)?.entryId
      if (!isStill || before.erased.has(callId) !== now.erased.has(callId)) moved.push(suspect)
      else problems.push(suspect)
    }
    suspects = []
    for (const { callId } of moved) {
      const problem = problemOf(callId, await store.calls.get(tenantId, callId), now)
      if (problem !== undefined) suspects.push(problem)
    }
    before = now
  }
  return problems
}

async function differing(
  store: Pick<Store, 'calls'>,
  tenantId: string,
  record: LedgerRecord,
): Promise<ContentProblem[]> {
  const found: ContentProblem[] = []
  const unseen = new Set(record.latest.keys())
  let cursor: string | undefined
  do {
    const page = await store.calls.list(tenantId, { limit: pageLength, ...(cursor === undefined ? {} : { cursor }) })
    for (const call of page.items) {
      unseen.delete(call.callId)
      const problem = problemOf(call.callId, call, record)
      if (problem !== undefined) found.push(problem)
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
  for (const callId of unseen) {
    const problem = problemOf(callId, await store.calls.get(tenantId, callId), record)
    if (problem !== undefined) found.push(problem)
  }
  return found
}

function problemOf(
  callId: string,
  call: StoredCall | undefined,
  { latest, erased }: LedgerRecord,
): ContentProblem | undefined {
  const entry = latest.get(callId)
  if (call === undefined) return { kind: 'missing', callId, message: `Call ${callId} is on record but not stored` }
  if (entry === undefined) return { kind: 'inserted', callId, message: `Call ${callId} is stored but not on record` }
  const { payload } = call
  if (payload === undefined) {
    if (erased.has(callId)) return undefined
    return { kind: 'missing', callId, message: `The content of call ${callId} is gone, and no erasure is on record` }
  }
  if (call.status === entry.status && isInputOnRecord(call, payload, entry) && isResultOnRecord(payload, entry)) {
    return undefined
  }
  return { kind: 'edited', callId, message: `Call ${callId} does not read as the record says` }
}

function isInputOnRecord(call: StoredCall, payload: CallPayload, entry: LedgerEntry): boolean {
  const digest = callDigest({ ...call, input: payload.input })
  return payload.digest === digest && entry.inputDigest === saltedDigest(payload.salt, digest)
}

function isResultOnRecord(payload: CallPayload, entry: LedgerEntry): boolean {
  const digest = payload.result === undefined ? undefined : saltedDigest(payload.salt, payload.result)
  return entry.resultDigest === digest
}
