import { sql } from 'drizzle-orm'
import { boolean, doublePrecision, index, integer, json, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { handrail, moment, order } from './handrail-schema.ts'

export const threads = handrail.table(
  'threads',
  {
    tenantId: text('tenant_id').notNull(),
    threadId: text('thread_id').notNull(),
    seq: order(),
    userId: text('user_id').notNull(),
    pack: text('pack').notNull(),
    scope: json('scope').notNull(),
    title: text('title').notNull(),
    untrusted: boolean('untrusted').notNull().default(false),
    /** Messages and steps share one count of positions. */
    lastPosition: integer('last_position').notNull().default(0),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.threadId] }),
    index('threads_of_user').on(table.userId, table.tenantId, table.seq),
  ],
)

export const messages = handrail.table(
  'messages',
  {
    tenantId: text('tenant_id').notNull(),
    threadId: text('thread_id').notNull(),
    messageId: text('message_id').notNull(),
    position: integer('position').notNull(),
    role: text('role').notNull(),
    parts: json('parts').notNull(),
    runId: text('run_id'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.threadId, table.messageId] })],
)

/** A person's messages that wait for the live run's next step boundary. */
export const queuedMessages = handrail.table(
  'queued_messages',
  {
    tenantId: text('tenant_id').notNull(),
    threadId: text('thread_id').notNull(),
    messageId: text('message_id').notNull(),
    seq: order(),
    parts: json('parts').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.threadId, table.messageId] })],
)

export const runs = handrail.table(
  'runs',
  {
    tenantId: text('tenant_id').notNull(),
    runId: text('run_id').notNull(),
    threadId: text('thread_id').notNull(),
    userId: text('user_id').notNull(),
    principal: json('principal').notNull(),
    pack: text('pack').notNull(),
    scope: json('scope').notNull(),
    mode: text('mode').notNull(),
    status: text('status').notNull(),
    step: integer('step').notNull().default(0),
    activeMs: doublePrecision('active_ms').notNull().default(0),
    inputTokens: integer('input_tokens').notNull().default(0),
    outputTokens: integer('output_tokens').notNull().default(0),
    cancelRequested: boolean('cancel_requested').notNull().default(false),
    finishReason: text('finish_reason'),
    error: text('error'),
    leaseOwner: text('lease_owner'),
    leaseToken: text('lease_token'),
    leaseUntil: moment('lease_until'),
    wakeAt: moment('wake_at'),
    createdAt: moment('created_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.runId] }),
    uniqueIndex('runs_one_live_per_thread')
      .on(table.threadId, table.tenantId)
      .where(sql`${table.status} in ('running', 'waiting')`),
    index('runs_live').on(table.createdAt).where(sql`${table.status} in ('running', 'waiting')`),
  ],
)

export const steps = handrail.table(
  'steps',
  {
    tenantId: text('tenant_id').notNull(),
    runId: text('run_id').notNull(),
    step: integer('step').notNull(),
    threadId: text('thread_id').notNull(),
    position: integer('position').notNull(),
    messages: json('messages').notNull(),
    calls: json('calls').notNull(),
    model: text('model').notNull(),
    finishReason: text('finish_reason').notNull(),
    inputTokens: integer('input_tokens').notNull(),
    outputTokens: integer('output_tokens').notNull(),
    durationMs: doublePrecision('duration_ms').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.runId, table.step] }),
    index('steps_of_thread').on(table.threadId, table.position),
  ],
)
