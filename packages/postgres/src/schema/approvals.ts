import { sql } from 'drizzle-orm'
import { boolean, index, integer, json, primaryKey, text } from 'drizzle-orm/pg-core'
import { handrail, moment } from './handrail-schema.ts'

export const approvals = handrail.table(
  'approvals',
  {
    tenantId: text('tenant_id').notNull(),
    approvalId: text('approval_id').notNull(),
    callId: text('call_id').notNull(),
    runId: text('run_id'),
    threadId: text('thread_id'),
    pack: text('pack').notNull(),
    toolName: text('tool_name').notNull(),
    toolVersion: integer('tool_version').notNull(),
    digest: text('digest').notNull(),
    scope: json('scope').notNull(),
    requestedBy: json('requested_by').notNull(),
    approvers: json('approvers').notNull(),
    form: text('form').notNull(),
    reason: text('reason').notNull(),
    description: text('description').notNull(),
    preview: json('preview'),
    basis: text('basis'),
    status: text('status').notNull(),
    createdAt: moment('created_at').notNull(),
    decideBy: moment('decide_by').notNull(),
    executeBy: moment('execute_by'),
    decision: json('decision'),
    /** Until its call leaves the wait or it is withdrawn: the reconciler looks at these. */
    open: boolean('open').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.approvalId] }),
    index('approvals_of_call').on(table.callId),
    index('approvals_open').on(table.approvalId).where(sql`${table.open}`),
  ],
)
