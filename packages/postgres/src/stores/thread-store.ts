import { LeaseLostError, type RunStore, StoreError } from 'handrail'
import { json, pageLimit, toPage } from './columns.ts'
import { placeMessage } from './place-message.ts'
import { type MessageRow, type StepRow, type ThreadRow, toMessage, toStep, toThread } from './run-row.ts'
import type { StoreTransactions } from './store-transactions.ts'

type ThreadStore = Pick<
  RunStore,
  'createThread' | 'getThread' | 'listThreads' | 'markUntrusted' | 'messages' | 'saveMessage' | 'steps'
>

/** Conversations on Postgres. */
export function threadStore(transactions: StoreTransactions): ThreadStore {
  return {
    async createThread(thread) {
      const { rows } = await transactions.run(thread.tenantId, (session) =>
        session.query<ThreadRow>({
          text: `
            insert into handrail.threads (tenant_id, thread_id, user_id, pack, scope, title, created_at, updated_at)
            values ($1, $2, $3, $4, $5, $6, now(), now()) on conflict do nothing returning *`,
          values: [thread.tenantId, thread.threadId, thread.userId, thread.pack, json(thread.scope), thread.title],
        }),
      )
      if (rows[0] === undefined) throw new StoreError(`Thread ${thread.threadId} exists already`)
      return toThread(rows[0])
    },

    async getThread(tenantId, threadId) {
      const [row] = await transactions.read<ThreadRow>(tenantId, {
        name: 'handrail.get_thread',
        text: 'select * from handrail.threads where tenant_id = $1 and thread_id = $2',
        values: [tenantId, threadId],
      })
      return row && toThread(row)
    },

    async listThreads(tenantId, filter) {
      const limit = pageLimit(filter)
      // Ordered by insertion, since thread ids are the client's own; a cursor is a thread, since places in that order are
      // counted over all tenants and would tell how busy the others are.
      const rows = await transactions.read<ThreadRow>(tenantId, {
        text: `
          select * from handrail.threads
          where tenant_id = $1 and user_id = $2 and ($3::text is null or seq < (
            select seq from handrail.threads where tenant_id = $1 and user_id = $2 and thread_id = $3))
          order by seq desc limit $4`,
        values: [tenantId, filter.userId, filter.cursor ?? null, limit + 1],
      })
      return toPage(rows, limit, toThread, (row) => row.thread_id)
    },

    async markUntrusted(tenantId, threadId) {
      await transactions.run(tenantId, (session) =>
        session.query({
          text: 'update handrail.threads set untrusted = true where tenant_id = $1 and thread_id = $2 and not untrusted',
          values: [tenantId, threadId],
        }),
      )
    },

    async messages(tenantId, threadId) {
      const rows = await transactions.read<MessageRow>(tenantId, {
        name: 'handrail.messages',
        text: 'select * from handrail.messages where tenant_id = $1 and thread_id = $2 order by position',
        values: [tenantId, threadId],
      })
      return rows.map(toMessage)
    },

    saveMessage: (tenantId, message, lease) =>
      transactions.run(tenantId, async (session) => {
        if (lease !== undefined) {
          const { rows } = await session.query({
            name: 'handrail.hold_run_of_thread',
            text: `
              select from handrail.runs where tenant_id = $1 and run_id = $2 and lease_token = $3 and thread_id = $4 for share`,
            values: [tenantId, lease.runId, lease.token, message.threadId],
          })
          if (rows.length === 0) throw new LeaseLostError(lease.runId)
        }
        return placeMessage(session, tenantId, message)
      }),

    async steps(tenantId, threadId) {
      const rows = await transactions.read<StepRow>(tenantId, {
        name: 'handrail.steps',
        text: 'select * from handrail.steps where tenant_id = $1 and thread_id = $2 order by position',
        values: [tenantId, threadId],
      })
      return rows.map(toStep)
    },
  }
}
