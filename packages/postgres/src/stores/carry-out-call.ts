import {
  type AttemptFence,
  type CallEnding,
  type HandedTransaction,
  type StoredCall,
  StoreError,
  type TransactOutcome,
} from 'handrail'
import type { Session } from '../engine/engine.ts'
import { type CallRow, selectCall, toCall } from './call-row.ts'
import { endCall } from './end-call.ts'
import { fenceValues, mayEnd } from './fence.ts'
import { type StoreTransactions, storeSession } from './store-transactions.ts'

/** Thrown to roll back a transaction whose call has another holder, or an end. */
class Fenced extends Error {}

/** Runs `effect` in a handed transaction under the call's lock, and commits it together with the ending it returns. */
export async function transactCall(
  transactions: StoreTransactions,
  fence: AttemptFence,
  effect: (transaction: HandedTransaction) => Promise<CallEnding>,
): Promise<TransactOutcome> {
  return committing(transactions, fence, true, async (session) => {
    await lock(session, fence, undefined)
    return handed(transactions, session, effect)
  })
}

/** Records an ending; `save` runs in the same transaction. */
export async function finishCall(
  transactions: StoreTransactions,
  fence: AttemptFence,
  ending: CallEnding,
  save: ((transaction: HandedTransaction) => Promise<void>) | undefined,
): Promise<TransactOutcome> {
  return committing(transactions, fence, save !== undefined, async (session) => {
    if (save === undefined) return ending
    await lock(session, fence, ending)
    await handed(transactions, session, save)
    return ending
  })
}

/** Opens a transaction, takes the ending from `work`, which may lock the call, and commits it as its last statement. */
async function committing(
  transactions: StoreTransactions,
  fence: AttemptFence,
  isLocked: boolean,
  work: (session: Session) => Promise<CallEnding>,
): Promise<TransactOutcome> {
  const session = await transactions.transactions.begin({ tenant: fence.tenantId })
  let ending: CallEnding | undefined
  try {
    ending = await work(session)
    if (await endCall(storeSession(session), fence, ending, isLocked)) return { kind: 'committed', ending }
  } catch (error) {
    await session.rollback()
    if (ending !== undefined && error instanceof StoreError) return settleLostCommit(transactions, fence, ending, error)
    if (!(error instanceof Fenced)) throw error
  }
  return { kind: 'fenced', call: await standingCall(transactions, fence) }
}

/**
 * The connection broke at COMMIT: the row says what became of it. Reading it under a lock waits for the server to be
 * done with the lost transaction.
 */
async function settleLostCommit(
  transactions: StoreTransactions,
  fence: AttemptFence,
  ending: CallEnding,
  lost: StoreError,
): Promise<TransactOutcome> {
  for (const delayMs of [0, 200, 800, 2000]) {
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    try {
      const call = await transactions.run(fence.tenantId, async (session) => {
        await session.query({
          text: 'select from handrail.calls where tenant_id = $1 and call_id = $2 for update',
          values: [fence.tenantId, fence.callId],
        })
        const { rows } = await session.query<CallRow>({
          text: `${selectCall} where c.tenant_id = $1 and c.call_id = $2`,
          values: [fence.tenantId, fence.callId],
        })
        return rows[0] && toCall(rows[0])
      })
      if (call?.attempt === fence.attempt && call.status === ending.status && call.description === ending.description) {
        return { kind: 'committed', ending }
      }
      if (call?.status === 'running' && call.attempt === fence.attempt) break
      return { kind: 'fenced', call }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
    }
  }
  throw lost
}

async function handed<T>(
  transactions: StoreTransactions,
  session: Session,
  work: (transaction: HandedTransaction) => Promise<T>,
): Promise<T> {
  return transactions.transactions.handOver(session, async (transaction) => {
    const result = await work(transaction)
    // What was revoked does not commit, whatever the effect returns.
    const reason = transaction.revokedFor()
    if (reason) throw reason
    return result
  })
}

/**
 * Locks the call's row until the transaction ends: whoever wants to take the call over waits for that.
 *
 * @throws {Fenced} when the call is not in this attempt's hands any more
 */
async function lock(session: Session, fence: AttemptFence, ending: CallEnding | undefined): Promise<void> {
  const { rows } = await storeSession(session).query({
    ...lockStatement,
    values: [fence.tenantId, fence.callId, ending?.status, ...fenceValues(fence)],
  })
  if (rows.length === 0) throw new Fenced()
}

const held = 'select from handrail.runs where tenant_id = $1 and run_id = $5::text and lease_token = $6::text'
const lockStatement = {
  name: 'handrail.lock_call',
  text: `
    select from handrail.calls c
    where c.tenant_id = $1 and c.call_id = $2 and ${mayEnd({ attempt: '$4', run: '$5::text', status: '$3::text' }, held)}
    for update`,
}

async function standingCall(transactions: StoreTransactions, fence: AttemptFence): Promise<StoredCall | undefined> {
  const [row] = await transactions.read<CallRow>(fence.tenantId, {
    text: `${selectCall} where c.tenant_id = $1 and c.call_id = $2`,
    values: [fence.tenantId, fence.callId],
  })
  return row && toCall(row)
}
