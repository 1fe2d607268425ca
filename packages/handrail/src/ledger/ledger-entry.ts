import type { CallStatus } from './call-record.ts'

export type LedgerEvent = 'asked' | 'decided' | 'started' | 'ended' | 'settled' | 'erased'

/** One line of the record: append-only, without content. Arguments and results appear as salted digests. */
export interface LedgerEntry {
  entryId: string
  tenantId: string
  at: Date
  event: LedgerEvent
  callId: string
  pack: string
  toolName: string
  status: CallStatus
  userId: string
  actor: 'person' | 'agent' | 'service'
  door: string
  runId: string | undefined
  approvalId: string | undefined
  /** SHA-256 over salt and call digest, and over salt and result; the salt lies in the erasable payload. */
  inputDigest: string
  resultDigest: string | undefined
}

/** A signed batch of entries, chained to the one before. The key lies outside the database. */
export interface Seal {
  tenantId: string
  seq: number
  sealedAt: Date
  count: number
  /** Over the entries' digests, length-prefixed: once in order and once sorted, so that reordering is told from editing. */
  root: string
  /** The signature of the seal before. */
  previous: string | undefined
  /** HMAC over all of the above: stores keep a seal exactly as it was made, its time included. */
  signature: string
}
