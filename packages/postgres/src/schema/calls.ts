import { sql } from 'drizzle-orm'
import { boolean, doublePrecision, index, integer, json, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { digest, handrail, moment } from './handrail-schema.ts'

/**
 * The state of each call. Content lies in `call_payloads`, so that it can be erased. Ids are made in order of time, so the
 * primary key is the order of lists, too: every index more is written at the claim and again at the end.
 */
export const calls = handrail.table(
  'calls',
  {
    tenantId: text('tenant_id').notNull(),
    callId: text('call_id').notNull(),
    pack: text('pack').notNull(),
    toolName: text('tool_name').notNull(),
    toolVersion: integer('tool_version').notNull(),
    kind: text('kind').notNull(),
    effect: text('effect'),
    risk: text('risk').notNull(),
    idempotent: boolean('idempotent').notNull(),
    door: text('door').notNull(),
    userId: text('user_id').notNull(),
    principal: json('principal').notNull(),
    scope: json('scope').notNull(),
    threadId: text('thread_id'),
    runId: text('run_id'),
    step: integer('step'),
    idempotencyKey: text('idempotency_key'),
    createdAt: moment('created_at').notNull(),
    executedAt: moment('executed_at'),
    status: text('status').notNull(),
    description: text('description').notNull(),
    code: text('code'),
    approvalId: text('approval_id'),
    attempt: integer('attempt').notNull(),
    attemptUntil: moment('attempt_until'),
    /** Made for each claim, so that a claim whose COMMIT got no answer recognises itself. */
    claimToken: text('claim_token'),
    endedAt: moment('ended_at'),
    /** Its outcome was unknown before it became what it is. */
    settled: boolean('settled').notNull().default(false),
    durationMs: doublePrecision('duration_ms'),
    cached: boolean('cached').notNull(),
    truncated: boolean('truncated').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.callId] }),
    index('calls_of_thread').on(table.threadId).where(sql`${table.threadId} is not null`),
    uniqueIndex('calls_one_per_key')
      .on(table.idempotencyKey, table.tenantId, table.userId, table.pack, table.toolName)
      .where(sql`${table.idempotencyKey} is not null`),
    index('calls_unfinished').on(table.attemptUntil).where(sql`${table.status} in ('running', 'unknown')`),
  ],
)

/** What a call was given and gave: erasable. JSON as text, because `jsonb` refuses U+0000 and reorders keys. */
export const callPayloads = handrail.table(
  'call_payloads',
  {
    tenantId: text('tenant_id').notNull(),
    callId: text('call_id').notNull(),
    digest: digest('digest').notNull(),
    salt: text('salt').notNull(),
    input: json('input'),
    /** Without its payload where that is the input. */
    apiCall: json('api_call').notNull(),
    result: json('result'),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.callId] })],
)

/** How much of each limit is spent in its window. */
export const quotas = handrail.table(
  'quotas',
  {
    tenantId: text('tenant_id').notNull(),
    key: text('key').notNull(),
    windowStart: moment('window_start').notNull(),
    used: integer('used').notNull(),
    allowed: integer('allowed').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.key, table.windowStart] })],
)
