import { randomUUID } from 'node:crypto'
import type { Principal } from '../principal/principal.ts'
import type { CallPayload, StoredCall } from './call-record.ts'
import { saltedDigest } from './digest.ts'
import type { LedgerEntry, LedgerEvent } from './ledger-entry.ts'

/**
 * The ledger's line for something that happened to a call.
 *
 * @param event what happened
 * @param call the call as it stands after it
 * @param at when, by the store's clock
 * @param by whose hand it was, when not the caller's: who decided, who settled
 * @param payload the call's content, when the row itself no longer holds it
 * @param inputDigest of this same content, where an earlier entry has it already
 */
export function entryOf(
  event: LedgerEvent,
  call: StoredCall,
  at: Date,
  by?: Principal,
  payload: CallPayload | undefined = call.payload,
  inputDigest: string = inputDigestOf(payload),
): LedgerEntry {
  const who = by ?? call.principal
  return {
    entryId: randomUUID(),
    tenantId: call.tenantId,
    at,
    event,
    callId: call.callId,
    pack: call.pack,
    toolName: call.toolName,
    status: call.status,
    userId: who.userId,
    actor: who.actor,
    door: by === undefined ? call.door : by.via.door,
    runId: call.runId,
    approvalId: call.approvalId,
    inputDigest,
    resultDigest: payload?.result === undefined ? undefined : saltedDigest(payload.salt, payload.result),
  }
}

/** The call's digest already covers the input, so salting it salts the input, whatever its size. */
function inputDigestOf(payload: CallPayload | undefined): string {
  return payload === undefined ? '' : saltedDigest(payload.salt, payload.digest)
}
