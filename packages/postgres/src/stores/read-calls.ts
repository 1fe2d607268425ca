import type { CallFilter, CallStore, Page, StoredCall } from 'handrail'
import { everyTenant } from '../transaction/tenant-transaction.ts'
import { type CallRow, selectCall, toCall } from './call-row.ts'
import { isIdCursor, pageLimit, toPage } from './columns.ts'
import type { StoreTransactions } from './store-transactions.ts'

type CallReader = Pick<CallStore, 'get' | 'getByKey' | 'unsettled' | 'list' | 'abandoned'>

/** The questions asked of stored calls. */
export function readCalls(transactions: StoreTransactions): CallReader {
  const find = async (tenantId: string, condition: string, values: unknown[], name?: string): Promise<StoredCall[]> => {
    const text = `${selectCall} where c.tenant_id = $1 and ${condition}`
    const rows = await transactions.read<CallRow>(tenantId, {
      text,
      values: [tenantId, ...values],
      ...(name && { name }),
    })
    return rows.map(toCall)
  }
  return {
    async get(tenantId, callId) {
      const [call] = await find(tenantId, 'c.call_id = $2', [callId], 'handrail.get_call')
      return call
    },

    async getByKey(tenantId, userId, pack, toolName, key) {
      const condition = 'c.user_id = $2 and c.pack = $3 and c.tool_name = $4 and c.idempotency_key = $5'
      const [call] = await find(tenantId, condition, [userId, pack, toolName, key], 'handrail.get_call_by_key')
      return call
    },

    unsettled({ tenantId, userId, threadId, pack, toolName }) {
      const whose = threadId === undefined ? 'c.user_id = $4' : 'c.thread_id = $4'
      const condition = `c.status = 'unknown' and c.kind <> 'read' and c.pack = $2 and c.tool_name = $3 and ${whose} order by c.call_id`
      return find(tenantId, condition, [pack, toolName, threadId ?? userId])
    },

    async list(tenantId, filter): Promise<Page<StoredCall>> {
      if (!isIdCursor(filter.cursor)) return { items: [] }
      const limit = pageLimit(filter)
      const { conditions, values } = conditionsOf(filter)
      const rows = await transactions.read<CallRow>(tenantId, {
        text: `${selectCall} where c.tenant_id = $1 ${conditions} order by c.call_id desc limit $2`,
        values: [tenantId, limit + 1, ...values],
      })
      return toPage(rows, limit, toCall, (row) => row.call_id)
    },

    async abandoned(limit) {
      const rows = await transactions.read<CallRow>(everyTenant, {
        text: `${selectCall} where c.status = 'running' and c.attempt_until < clock_timestamp() order by c.attempt_until limit $1`,
        values: [limit],
      })
      return rows.map(toCall)
    },
  }
}

function conditionsOf(filter: CallFilter): { conditions: string; values: unknown[] } {
  const tests: [string, unknown][] = [
    ['c.call_id <', filter.cursor],
    ['c.run_id =', filter.runId],
    ['c.thread_id =', filter.threadId],
    ['c.pack =', filter.pack],
    ['c.tool_name =', filter.toolName],
    ['c.user_id =', filter.userId],
    ['c.status =', filter.status],
    ['c.created_at >=', filter.from?.toISOString()],
    ['c.created_at <', filter.to?.toISOString()],
  ]
  const given = tests.filter(([, value]) => value !== undefined)
  return {
    conditions: given.map(([test], index) => `and ${test} $${index + 3}`).join(' '),
    values: given.map(([, value]) => value),
  }
}
