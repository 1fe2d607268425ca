import { randomUUID } from 'node:crypto'
import type { LeaseFence, Run, RunStore } from 'handrail'
import { everyTenant } from '../transaction/tenant-transaction.ts'
import { isIdCursor, json, moment, pageLimit, toPage } from './columns.ts'
import { placeQueued } from './place-message.ts'
import { type RunRow, toRun } from './run-row.ts'
import { startRun } from './start-run.ts'
import type { StoreTransactions } from './store-transactions.ts'
import { threadStore } from './thread-store.ts'

/** Runs on Postgres. Whoever writes must hold the token; the database's clock says how long a lease lasts. */
export function runStore(transactions: StoreTransactions): RunStore {
  /** One statement that changes the held run: $1 tenant, $2 run, $3 token, then the values. */
  const change = async (
    name: string,
    tenantId: string,
    lease: LeaseFence,
    set: string,
    values: unknown[],
  ): Promise<boolean> => {
    const { rowCount } = await transactions.run(tenantId, (session) =>
      session.last({
        name,
        text: `update handrail.runs set ${set} where tenant_id = $1 and run_id = $2 and lease_token = $3`,
        values: [tenantId, lease.runId, lease.token, ...values],
      }),
    )
    return rowCount === 1
  }

  const get = async (tenantId: string, runId: string): Promise<Run | undefined> => {
    const [row] = await transactions.read<RunRow>(tenantId, {
      name: 'handrail.get_run',
      text: 'select * from handrail.runs where tenant_id = $1 and run_id = $2',
      values: [tenantId, runId],
    })
    return row && toRun(row)
  }

  return {
    ...threadStore(transactions),
    start: (run, message, quotas = []) => startRun(transactions, run, message, quotas),
    get,

    async list(tenantId, filter) {
      if (!isIdCursor(filter.cursor)) return { items: [] }
      const limit = pageLimit(filter)
      const rows = await transactions.read<RunRow>(tenantId, {
        text: `
          select * from handrail.runs where tenant_id = $1 and ($2::text is null or run_id < $2) and ($4::text is null or user_id = $4)
            and ($5::text is null or thread_id = $5) and ($6::text is null or status = $6)
          order by run_id desc limit $3`,
        values: [tenantId, filter.cursor, limit + 1, filter.userId, filter.threadId, filter.status],
      })
      return toPage(rows, limit, toRun, (row) => row.run_id)
    },

    async acquire(tenantId, runId, owner, leaseMs) {
      const token = randomUUID()
      const { rows } = await transactions.run(tenantId, (session) =>
        session.last<{ lease_until: string }>({
          name: 'handrail.acquire_lease',
          // A wake that is asked for from now on is seen at release; what was due before is being done.
          text: `
            with locked as materialized (
              select status, lease_until from handrail.runs where tenant_id = $1 and run_id = $2 for update
            )
            update handrail.runs r set status = 'running', lease_owner = $3, lease_token = $4, wake_at = null,
              lease_until = clock_timestamp() + $5::float8 * interval '1 millisecond'
            from locked where r.tenant_id = $1 and r.run_id = $2 and locked.status in ('running', 'waiting')
              and (locked.lease_until is null or locked.lease_until <= clock_timestamp())
            returning r.lease_until`,
          values: [tenantId, runId, owner, token, leaseMs],
        }),
      )
      return rows[0] && { runId, token, until: moment(rows[0].lease_until) }
    },

    renew: (tenantId, lease, leaseMs) =>
      change(
        'handrail.renew_lease',
        tenantId,
        lease,
        `lease_until = clock_timestamp() + $4::float8 * interval '1 millisecond'`,
        [leaseMs],
      ),

    release: (tenantId, lease, next) =>
      change(
        'handrail.release_lease',
        tenantId,
        lease,
        `status = $4, active_ms = $5, wake_at = coalesce(wake_at, $6::timestamptz), lease_owner = null, lease_token = null, lease_until = null`,
        [next.status, next.activeMs, next.wakeAt?.toISOString()],
      ),

    async recordStep(tenantId, lease, step, activeMs) {
      const { rows } = await transactions.run(tenantId, (session) =>
        session.last({
          name: 'handrail.record_step',
          text: `
            with held as (
              update handrail.runs set step = step + 1, active_ms = $5, input_tokens = input_tokens + $6, output_tokens = output_tokens + $7
              where tenant_id = $1 and run_id = $2 and lease_token = $3 and step = $4 returning thread_id
            ), placed as (
              update handrail.threads t set last_position = last_position + 1 from held
              where t.tenant_id = $1 and t.thread_id = held.thread_id returning t.thread_id, t.last_position
            )
            insert into handrail.steps (tenant_id, run_id, step, thread_id, position, messages, calls, model, finish_reason,
              input_tokens, output_tokens, duration_ms, created_at)
            select $1, $2, $4, thread_id, last_position, $8::json, $9::json, $10, $11, $6, $7, $12::float8, clock_timestamp() from placed
            returning position`,
          values: [
            tenantId,
            lease.runId,
            lease.token,
            step.step,
            activeMs,
            step.usage.inputTokens,
            step.usage.outputTokens,
            json(step.messages),
            json(step.calls),
            step.model,
            step.finishReason,
            step.durationMs,
          ],
        }),
      )
      return rows.length === 1
    },

    deliverQueued: (tenantId, lease) => transactions.run(tenantId, (session) => placeQueued(session, tenantId, lease)),

    end: (tenantId, lease, ending) =>
      transactions.run(tenantId, async (session) => {
        const held = await session.query<{ thread_id: string }>({
          text: 'select thread_id from handrail.runs where tenant_id = $1 and run_id = $2 and lease_token = $3 for update',
          values: [tenantId, lease.runId, lease.token],
        })
        const threadId = held.rows[0]?.thread_id
        if (threadId === undefined) return 'lost' as const
        if (ending.status === 'done') {
          // A statement of its own: it sees what was queued while the lock was waited for.
          const queued = await session.query({
            text: 'select from handrail.queued_messages where tenant_id = $1 and thread_id = $2 limit 1',
            values: [tenantId, threadId],
          })
          if (queued.rows.length > 0) return 'queued' as const
        }
        await placeQueued(session, tenantId, lease)
        await session.query({
          text: `
            update handrail.runs set status = $3, finish_reason = $4, error = $5, active_ms = $6, wake_at = null,
              lease_owner = null, lease_token = null, lease_until = null, ended_at = clock_timestamp()
            where tenant_id = $1 and run_id = $2`,
          values: [tenantId, lease.runId, ending.status, ending.finishReason, ending.error, ending.activeMs],
        })
        return 'ended' as const
      }),

    async requestCancel(tenantId, runId) {
      const { rows } = await transactions.run(tenantId, (session) =>
        session.query<RunRow>({
          text: `
            update handrail.runs set cancel_requested = true, wake_at = clock_timestamp()
            where tenant_id = $1 and run_id = $2 and status in ('running', 'waiting') returning *`,
          values: [tenantId, runId],
        }),
      )
      return rows[0] ? toRun(rows[0]) : get(tenantId, runId)
    },

    async requestWake(tenantId, runId) {
      await transactions.run(tenantId, (session) =>
        session.query({
          text: `
            update handrail.runs set wake_at = clock_timestamp()
            where tenant_id = $1 and run_id = $2 and status in ('running', 'waiting')`,
          values: [tenantId, runId],
        }),
      )
    },

    due: (limit) =>
      transactions
        .read<{ tenant_id: string; run_id: string }>(everyTenant, {
          text: `
            select tenant_id, run_id from handrail.runs r
            where status in ('running', 'waiting') and (lease_until is null or lease_until <= clock_timestamp())
              and (wake_at <= clock_timestamp() or wake_at is null and (status = 'running' or not exists (
                select from handrail.approvals a where a.open and a.tenant_id = r.tenant_id and a.run_id = r.run_id)))
            order by created_at limit $1`,
          values: [limit],
        })
        .then((rows) => rows.map((row) => ({ tenantId: row.tenant_id, runId: row.run_id }))),
  }
}
