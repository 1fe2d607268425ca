import { type LeaseFence, StoreError, type ThreadMessage } from 'handrail'
import { json } from './columns.ts'
import { type MessageRow, toMessage } from './run-row.ts'
import type { StoreSession } from './store-transactions.ts'

/** Appends with the thread's next position; a message that stands keeps its place and takes the new parts. */
export async function placeMessage(
  session: StoreSession,
  tenantId: string,
  message: Omit<ThreadMessage, 'position' | 'createdAt'>,
): Promise<ThreadMessage> {
  const { rows } = await session.query<MessageRow>({
    name: 'handrail.place_message',
    text: `
      with standing as (
        update handrail.messages set role = $4, parts = $5::json, run_id = $6
        where tenant_id = $1 and thread_id = $2 and message_id = $3 returning *
      ), placed as (
        update handrail.threads set updated_at = now(),
          last_position = last_position + case when exists (select from standing) then 0 else 1 end
        where tenant_id = $1 and thread_id = $2 returning last_position
      ), appended as (
        insert into handrail.messages (tenant_id, thread_id, message_id, position, role, parts, run_id, created_at)
        select $1, $2, $3, last_position, $4, $5::json, $6, now() from placed where not exists (select from standing)
        returning *
      )
      select * from standing union all select * from appended`,
    values: [tenantId, message.threadId, message.messageId, message.role, json(message.parts), message.runId],
  })
  if (rows[0] === undefined) throw new StoreError(`Thread ${message.threadId} does not exist`)
  return toMessage(rows[0])
}

/** Gives queued messages of a person their place, if this token holds the run. */
export async function placeQueued(
  session: StoreSession,
  tenantId: string,
  lease: LeaseFence,
): Promise<ThreadMessage[]> {
  const { rows } = await session.query<{ seq: number; thread_id: string; message_id: string; parts: unknown[] }>({
    name: 'handrail.take_queued',
    text: `
      with held as materialized (
        select thread_id from handrail.runs where tenant_id = $1 and run_id = $2 and lease_token = $3 for share
      ), taken as (
        delete from handrail.queued_messages q using held where q.tenant_id = $1 and q.thread_id = held.thread_id returning q.*
      )
      select * from taken order by seq`,
    values: [tenantId, lease.runId, lease.token],
  })
  const placed: ThreadMessage[] = []
  for (const { thread_id: threadId, message_id: messageId, parts } of rows) {
    placed.push(await placeMessage(session, tenantId, { messageId, threadId, role: 'user', parts, runId: lease.runId }))
  }
  return placed
}
