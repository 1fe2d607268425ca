import { randomUUID } from 'node:crypto'
import {
  type ClaimOutcome,
  type ClaimRequest,
  type LeaseFence,
  type Quota,
  type StoredCall,
  StoreError,
} from 'handrail'
import { type CallRow, selectCall, toCall } from './call-row.ts'
import { insertCall } from './insert-call.ts'
import { usedUp } from './quotas.ts'
import { NothingClaimed, type Refusal, requireLease, startApproved, startRecovery } from './start-stored-call.ts'
import type { StoreSession, StoreTransactions } from './store-transactions.ts'

/** The first of the two transactions: whoever gets `claimed` is the only one to execute this attempt. */
export async function claimCall(transactions: StoreTransactions, request: ClaimRequest): Promise<ClaimOutcome> {
  const claimToken = randomUUID()
  const { tenantId, callId } = request.call
  try {
    return await orRefusal(transactions, request, async (session) => ({
      kind: 'claimed',
      call: await startIn(session, request, claimToken),
    }))
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    // The connection broke, perhaps after the commit. The token says whether that claim was ours.
    const row = await rowOf(transactions, tenantId, callId).catch(() => undefined)
    if (row?.claim_token !== claimToken) throw error
    return { kind: 'claimed', call: toCall(row) }
  }
}

/** Runs work that stores a call; when it stores nothing, says what stood against it. */
export async function orRefusal<T>(
  transactions: StoreTransactions,
  request: { call: StoredCall; quotas: readonly Quota[]; lease?: LeaseFence | undefined },
  work: (session: StoreSession) => Promise<T>,
): Promise<T | Refusal> {
  for (let tries = 1; ; tries++) {
    try {
      return await transactions.run(request.call.tenantId, work)
    } catch (error) {
      if (!(error instanceof NothingClaimed)) throw error
      const outcome =
        typeof error.outcome === 'string'
          ? await whatStandsAgainst(transactions, request, error.outcome)
          : error.outcome
      if (outcome !== undefined) return outcome
      // Another claim added a counter at the same moment, or a quota's window ended between the two looks.
      if (tries === 5) throw new StoreError('A call could not be claimed, and nothing stands against it.')
    }
  }
}

async function startIn(session: StoreSession, request: ClaimRequest, claimToken: string): Promise<StoredCall> {
  switch (request.from) {
    case 'approved':
      return startApproved(session, request, claimToken)
    case 'recovery':
      return startRecovery(session, request, claimToken)
    case 'new': {
      const { quotas, lease, attemptMs } = request
      const call: StoredCall = { ...request.call, status: 'running', attempt: 1 }
      const inserted = await insertCall(session.last, {
        call,
        event: 'started',
        quotas,
        lease,
        claimToken,
        attemptMs,
        ended: false,
      })
      if (inserted === undefined) throw new NothingClaimed('something')
      return inserted
    }
  }
}

async function whatStandsAgainst(
  transactions: StoreTransactions,
  { call, quotas, lease }: { call: StoredCall; quotas: readonly Quota[]; lease?: LeaseFence | undefined },
  what: 'quota' | 'something',
): Promise<Refusal | undefined> {
  try {
    return await transactions.run(call.tenantId, async (session) => {
      if (what === 'quota') return usedUp(session, call.tenantId, quotas)
      await requireLease(session, call.tenantId, lease)
      const standing = await standingCall(session, call)
      return standing ? { kind: 'existing' as const, call: standing } : usedUp(session, call.tenantId, quotas)
    })
  } catch (error) {
    if (error instanceof NothingClaimed && typeof error.outcome === 'object') return error.outcome
    throw error
  }
}

/** The call that has this id, or else this key. */
export async function standingCall(session: StoreSession, call: StoredCall): Promise<StoredCall | undefined> {
  const { rows } = await session.query<CallRow>({
    text: `
      ${selectCall} where c.tenant_id = $1 and (c.call_id = $2 or
        c.user_id = $3 and c.pack = $4 and c.tool_name = $5 and c.idempotency_key = $6)
      order by c.call_id = $2 desc limit 1`,
    values: [call.tenantId, call.callId, call.principal.userId, call.pack, call.toolName, call.idempotencyKey],
  })
  return rows[0] && toCall(rows[0])
}

async function rowOf(transactions: StoreTransactions, tenantId: string, callId: string): Promise<CallRow | undefined> {
  const [row] = await transactions.read<CallRow>(tenantId, {
    text: `${selectCall} where c.tenant_id = $1 and c.call_id = $2`,
    values: [tenantId, callId],
  })
  return row
}
