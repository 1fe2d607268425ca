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
import { type StoreTransactions, storeSession } from './store-transactions.ts'

/** Thrown to roll back a transaction whose call has another holder, or an end. */
class Fenced extends Error {}

/** Runs `effect` in a handed transaction under the call's lock, and commits it together with the ending it returns. */
export async function transactCall(
  transactions: StoreTransactions,
  fence: AttemptFence,
  effect: (transaction: HandedTransaction) => Promise<CallEnding>,
): Promise<TransactOutcome> {
  return committing(transactions, fence, async (session) => {
    const standing = await lock(session, fence)
    if (standing?.status !== 'running' || standing.attempt !== fence.attempt || !standing.lease_held) throw new Fenced()
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
  return committing(transactions, fence, async (session) => {
    if (save === undefined) return ending
    const standing = await lock(session, fence)
    if (standing === undefined || !mayFinish(standing, fence, ending)) throw new Fenced()
    await handed(transactions, session, save)
    return ending
  })
}

/** Opens a transaction, takes the ending from `work`, and commits it as its last statement. */
async function committing(
  transactions: StoreTransactions,
  fence: AttemptFence,
  work: (session: Session) => Promise<CallEnding>,
): Promise<TransactOutcome> {
  const session = await transactions.transactions.begin({ tenant: fence.tenantId })
  let ending: CallEnding | undefined
  try {
    ending = await work(session)
    if (await endCall(storeSession(session), fence, ending)) return { kind: 'committed', ending }
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

interface Standing {
  status: StoredCall['status']
  attempt: number
  effect: string | null
  lease_held: boolean
}

/** Locks the call's row until the transaction ends. */
async function lock(session: Session, fence: AttemptFence): Promise<Standing | undefined> {
  const { rows } = await storeSession(session).query<Standing>({
    name: 'handrail.lock_call',
    text: `
      select status, attempt, effect, $3::text is null or exists (
        select from handrail.runs where tenant_id = $1 and run_id = $3 and lease_token = $4::text) as lease_held
      from handrail.calls where tenant_id = $1 and call_id = $2 for update`,
    values: [fence.tenantId, fence.callId, fence.lease?.runId, fence.lease?.token],
  })
  return rows[0]
}

/** As `endCall` judges it, before `save` runs. */
function mayFinish(standing: Standing, fence: AttemptFence, ending: CallEnding): boolean {
  if (standing.attempt !== fence.attempt) return false
  if (standing.status === 'unknown') return ending.status !== 'unknown'
  return standing.status === 'running' && (standing.effect === 'external' || standing.lease_held)
}

async function standingCall(transactions: StoreTransactions, fence: AttemptFence): Promise<StoredCall | undefined> {
  const [row] = await transactions.read<CallRow>(fence.tenantId, {
    text: `${selectCall} where c.tenant_id = $1 and c.call_id = $2`,
    values: [fence.tenantId, fence.callId],
  })
  return row && toCall(row)
}
