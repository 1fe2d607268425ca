import { type Approval, type ApprovalStore, type DecideOutcome, type Decision, entryOf } from 'handrail'
import { everyTenant } from '../transaction/tenant-transaction.ts'
import { type ApprovalRow, toApproval } from './approval-row.ts'
import { closeApproval, lockApproval } from './approval-use.ts'
import { replacePayload } from './ask-call.ts'
import { type CallRow, selectCall, toCall } from './call-row.ts'
import { isIdCursor, json, pageLimit, toPage } from './columns.ts'
import { append } from './entry-row.ts'
import type { StoreSession, StoreTransactions } from './store-transactions.ts'

/** Approvals on Postgres. Times are judged by the database's clock. */
export function approvalStore(transactions: StoreTransactions): ApprovalStore {
  return {
    async get(tenantId, approvalId) {
      const [row] = await transactions.read<ApprovalRow>(tenantId, {
        name: 'handrail.get_approval',
        text: 'select * from handrail.approvals where tenant_id = $1 and approval_id = $2',
        values: [tenantId, approvalId],
      })
      return row && toApproval(row)
    },

    async list(tenantId, filter) {
      if (!isIdCursor(filter.cursor)) return { items: [] }
      const limit = pageLimit(filter)
      const rows = await transactions.read<ApprovalRow>(tenantId, {
        text: `
          select * from handrail.approvals where tenant_id = $1 and ($2::text is null or approval_id < $2) and ($4::text is null or status = $4)
            and ($5::text is null or thread_id = $5) and ($6::text is null or run_id = $6)
          order by approval_id desc limit $3`,
        values: [tenantId, filter.cursor, limit + 1, filter.status, filter.threadId, filter.runId],
      })
      return toPage(rows, limit, toApproval, (row) => row.approval_id)
    },

    decide: (tenantId, approvalId, decision, executeWithinMs, edited) =>
      transactions.run(tenantId, async (session): Promise<DecideOutcome> => {
        const approval = await lockApproval(session, tenantId, approvalId)
        if (approval === undefined) return { kind: 'missing' }
        if (approval.status !== 'pending') {
          return { kind: isSameDecision(approval.decision, decision) ? 'same' : 'conflict', approval }
        }
        const decided = await storeDecision(session, approval, decision, executeWithinMs, edited?.digest)
        await recordDecision(session, decided, decision, edited)
        return { kind: 'decided', approval: decided }
      }),

    expireDue: (limit) =>
      transactions.run(everyTenant, async (session) => {
        await session.query({
          // Rows that a decision holds just now are left to the next round.
          text: `
            update handrail.approvals a set status = 'expired' from (
              select tenant_id, approval_id from handrail.approvals
              where open and (status = 'pending' and decide_by < now() or status = 'approved' and execute_by < now())
              order by approval_id limit $1 for update skip locked
            ) due where a.tenant_id = due.tenant_id and a.approval_id = due.approval_id`,
          values: [limit],
        })
        const { rows } = await session.query<ApprovalRow>({
          text: `select * from handrail.approvals where open and status = 'expired' order by approval_id limit $1`,
          values: [limit],
        })
        return rows.map(toApproval)
      }),

    async undone(limit) {
      const rows = await transactions.read<ApprovalRow>(everyTenant, {
        text: `
          select a.* from handrail.approvals a
          join handrail.calls c on c.tenant_id = a.tenant_id and c.call_id = a.call_id and c.status = 'awaiting_approval'
          where a.open and a.status in ('approved', 'declined') order by a.approval_id limit $1`,
        values: [limit],
      })
      return rows.map(toApproval)
    },

    withdraw: (tenantId, approvalId) =>
      transactions.run(tenantId, (session) => closeApproval(session, tenantId, approvalId, 'withdrawn')),
  }
}

async function storeDecision(
  session: StoreSession,
  approval: Approval,
  decision: Omit<Decision, 'at'>,
  executeWithinMs: number,
  editedDigest: string | undefined,
): Promise<Approval> {
  const approves = decision.decision === 'approve'
  const { rows } = await session.query<ApprovalRow & { decided_at: string }>({
    text: `
      update handrail.approvals set status = $3, digest = coalesce($4, digest),
        execute_by = case when $5::boolean then now() + $6::float8 * interval '1 millisecond' end, decision = $7::json
      where tenant_id = $1 and approval_id = $2 returning *`,
    values: [
      approval.tenantId,
      approval.approvalId,
      approves ? 'approved' : 'declined',
      editedDigest,
      approves,
      executeWithinMs,
      json({ ...decision, at: await databaseTime(session) }),
    ],
  })
  return rows[0] ? toApproval(rows[0]) : approval
}

async function databaseTime(session: StoreSession): Promise<string> {
  const { rows } = await session.query<{ at: string }>({ text: 'select now()::timestamptz(3) as at' })
  return new Date(rows[0]?.at ?? '').toISOString()
}

async function recordDecision(
  session: StoreSession,
  approval: Approval,
  decision: Omit<Decision, 'at'>,
  edited: Parameters<ApprovalStore['decide']>[4],
): Promise<void> {
  const { rows } = await session.query<CallRow>({
    text: `${selectCall} where c.tenant_id = $1 and c.call_id = $2`,
    values: [approval.tenantId, approval.callId],
  })
  if (rows[0] === undefined) return
  const stored = toCall(rows[0])
  const call = edited === undefined ? stored : { ...stored, payload: edited }
  if (edited !== undefined) await replacePayload(session, call)
  await append(session, entryOf('decided', call, new Date(), decision.by))
}

/** The same answer by the same person to the same input; a retry may word its reason differently. */
function isSameDecision(first: Decision | undefined, again: Omit<Decision, 'at'>): boolean {
  return (
    first !== undefined &&
    first.decision === again.decision &&
    first.by.userId === again.by.userId &&
    first.editedDigest === again.editedDigest
  )
}
