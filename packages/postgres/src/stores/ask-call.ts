import { type Approval, entryOf, type LeaseFence, type Quota, type StoredCall } from 'handrail'
import { approvalColumns, approvalValues } from './approval-row.ts'
import { closeApproval, lockApproval } from './approval-use.ts'
import { payloadColumns, payloadValues } from './call-row.ts'
import { orRefusal, standingCall } from './claim-call.ts'
import { json, names, placeholders } from './columns.ts'
import { append } from './entry-row.ts'
import { insertCall } from './insert-call.ts'
import { spendQuotas } from './quotas.ts'
import { NothingClaimed, type Refusal, requireLease } from './start-stored-call.ts'
import type { StoreSession, StoreTransactions } from './store-transactions.ts'

/** Stores a call that waits, with its approval; or asks again for a call that waits already. */
export function askCall(
  transactions: StoreTransactions,
  call: StoredCall,
  approval: Approval,
  quotas: readonly Quota[],
  lease: LeaseFence | undefined,
): Promise<Refusal | { kind: 'asked' }> {
  const waiting: StoredCall = {
    ...call,
    status: 'awaiting_approval',
    attempt: 0,
    attemptUntil: undefined,
    approvalId: approval.approvalId,
  }
  return orRefusal(transactions, { call, quotas, lease }, async (session) => {
    await requireLease(session, call.tenantId, lease)
    const existing = await standingCall(session, call)
    if (existing === undefined) {
      const request = {
        call: waiting,
        event: 'asked',
        quotas,
        lease,
        claimToken: undefined,
        attemptMs: undefined,
        ended: false,
      } as const
      if ((await insertCall(session.query, request)) === undefined) throw new NothingClaimed('something')
    } else {
      await askAgain(session, existing, waiting, quotas, call.approvalId)
    }
    await insertApproval(session, approval)
    return { kind: 'asked' as const }
  })
}

async function askAgain(
  session: StoreSession,
  existing: StoredCall,
  waiting: StoredCall,
  quotas: readonly Quota[],
  expected: string | undefined,
): Promise<void> {
  const { tenantId, callId } = waiting
  if (existing.callId !== callId || (expected !== undefined && existing.approvalId !== expected))
    throw new NothingClaimed({ kind: 'existing', call: existing })
  if (existing.approvalId !== undefined) await lockApproval(session, tenantId, existing.approvalId)
  const { rows } = await session.query<{ status: string; approval_id: string | null }>({
    text: 'select status, approval_id from handrail.calls where tenant_id = $1 and call_id = $2 for update',
    values: [tenantId, callId],
  })
  const isAskedAgain =
    rows[0]?.status === 'awaiting_approval' &&
    rows[0].approval_id !== waiting.approvalId &&
    rows[0].approval_id === (existing.approvalId ?? null)
  if (!isAskedAgain) throw new NothingClaimed({ kind: 'existing', call: existing })
  if (!(await spendQuotas(session, tenantId, quotas))) throw new NothingClaimed('quota')
  await closeApproval(session, tenantId, existing.approvalId, 'withdrawn')
  await session.query({
    text: `
      update handrail.calls set tool_version = $3, risk = $4, principal = $5, scope = $6, description = $7, code = $8, approval_id = $9
      where tenant_id = $1 and call_id = $2`,
    values: [
      tenantId,
      callId,
      waiting.toolVersion,
      waiting.risk,
      json(waiting.principal),
      json(waiting.scope),
      waiting.description,
      waiting.code,
      waiting.approvalId,
    ],
  })
  await replacePayload(session, waiting)
  await append(session, entryOf('asked', waiting, new Date()))
}

/** Puts a call's content in place of what stood. What was erased does not come back. */
export async function replacePayload(session: StoreSession, call: StoredCall): Promise<void> {
  if (call.payload === undefined) return
  await session.query({
    text: `
      update handrail.call_payloads set (${names(payloadColumns)}) = row(${placeholders(payloadColumns, 3)})
      where tenant_id = $1 and call_id = $2`,
    values: [call.tenantId, call.callId, ...payloadValues(call.payload)],
  })
}

async function insertApproval(session: StoreSession, approval: Approval): Promise<void> {
  await session.query({
    text: `
      insert into handrail.approvals (status, open, created_at, ${names(approvalColumns)})
      values ('pending', true, now(), ${placeholders(approvalColumns, 1)})`,
    values: approvalValues(approval),
  })
}
