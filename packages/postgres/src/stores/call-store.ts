import { type CallEnding, type CallPayload, type CallStore, entryOf, type StoredCall } from 'handrail'
import { type ApprovalRow, toApproval } from './approval-row.ts'
import { closeApproval, lockApproval } from './approval-use.ts'
import { askCall, replacePayload } from './ask-call.ts'
import { type CallRow, selectCall, toCall } from './call-row.ts'
import { finishCall, transactCall } from './carry-out-call.ts'
import { claimCall } from './claim-call.ts'
import { json, moment } from './columns.ts'
import { settleCall } from './end-call.ts'
import { append } from './entry-row.ts'
import { insertCall } from './insert-call.ts'
import { readCalls } from './read-calls.ts'
import type { StoreSession, StoreTransactions } from './store-transactions.ts'

/** Calls on Postgres. Each method is one transaction and holds its checks under the row's lock. */
export function callStore(transactions: StoreTransactions): CallStore {
  const reader = readCalls(transactions)
  return {
    ...reader,
    claim: (request) => claimCall(transactions, request),
    ask: (call, approval, quotas, lease) => askCall(transactions, call, approval, quotas, lease),

    async recordEnded(call, lease) {
      const ended: StoredCall = { ...call, idempotencyKey: undefined }
      const request = {
        call: ended,
        event: 'ended',
        quotas: [],
        lease,
        claimToken: undefined,
        attemptMs: undefined,
        ended: true,
      } as const
      await transactions.run(call.tenantId, (session) => insertCall(session.last, request))
    },

    transact: (fence, effect) => transactCall(transactions, fence, effect),
    finish: (fence, ending, save) => finishCall(transactions, fence, ending, save),
    read: (tenantId, effect) => transactions.transactions.handed({ tenant: tenantId, readOnly: true }, effect),
    readersDb: (tenantId) => transactions.transactions.readers(tenantId),

    endWaiting: (tenantId, callId, ending) =>
      transactions.run(tenantId, (session) => endWaiting(session, tenantId, callId, ending)),

    async settle(tenantId, callId, ending, by) {
      const settled = await transactions.run(tenantId, (session) => settleCall(session, tenantId, callId, ending, by))
      return settled ? reader.get(tenantId, callId) : undefined
    },

    erase: (tenantId, callId) => transactions.run(tenantId, (session) => erase(session, tenantId, callId)),
  }
}

async function lockCall(session: StoreSession, tenantId: string, callId: string): Promise<StoredCall | undefined> {
  await session.query({
    text: 'select from handrail.calls where tenant_id = $1 and call_id = $2 for update',
    values: [tenantId, callId],
  })
  return readCall(session, tenantId, callId)
}

async function readCall(session: StoreSession, tenantId: string, callId: string): Promise<StoredCall | undefined> {
  const { rows } = await session.query<CallRow>({
    text: `${selectCall} where c.tenant_id = $1 and c.call_id = $2`,
    values: [tenantId, callId],
  })
  return rows[0] && toCall(rows[0])
}

async function endWaiting(
  session: StoreSession,
  tenantId: string,
  callId: string,
  ending: Pick<CallEnding, 'status' | 'code' | 'description'> & { payload?: CallPayload },
): Promise<StoredCall | undefined> {
  const before = await readCall(session, tenantId, callId)
  if (before?.approvalId !== undefined) await lockApproval(session, tenantId, before.approvalId)
  const stored = await lockCall(session, tenantId, callId)
  if (stored?.status !== 'awaiting_approval') return undefined
  const payload = stored.payload && (ending.payload ?? stored.payload)
  const { rows } = await session.query<{ ended_at: string }>({
    text: `
      update handrail.calls set status = $3, code = $4, description = $5, ended_at = clock_timestamp()
      where tenant_id = $1 and call_id = $2 returning ended_at`,
    values: [tenantId, callId, ending.status, ending.code, ending.description],
  })
  if (rows[0] === undefined) return undefined
  const { status, code, description } = ending
  const call: StoredCall = { ...stored, status, code, description, payload, endedAt: moment(rows[0].ended_at) }
  await replacePayload(session, call)
  await closeApproval(session, tenantId, stored.approvalId, ending.status === 'expired' ? 'expired' : 'withdrawn')
  await append(session, entryOf('ended', call, new Date(), undefined, ending.payload))
  return call
}

async function erase(session: StoreSession, tenantId: string, callId: string): Promise<void> {
  const approvals = await session.query<ApprovalRow>({
    text: 'select * from handrail.approvals where tenant_id = $1 and call_id = $2 order by approval_id for update',
    values: [tenantId, callId],
  })
  const stored = await lockCall(session, tenantId, callId)
  if (stored?.payload === undefined) return
  await session.query({
    text: 'delete from handrail.call_payloads where tenant_id = $1 and call_id = $2',
    values: [tenantId, callId],
  })
  for (const { approvalId, decision } of approvals.rows.map(toApproval)) {
    await session.query({
      text: `
        update handrail.approvals set digest = '', preview = null, basis = null, decision = $3
        where tenant_id = $1 and approval_id = $2`,
      values: [tenantId, approvalId, json(decision && { ...decision, editedDigest: undefined })],
    })
  }
  await append(session, entryOf('erased', { ...stored, payload: undefined }, new Date(), undefined, stored.payload))
}
