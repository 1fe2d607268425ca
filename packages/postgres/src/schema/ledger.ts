import { bigint, index, integer, json, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { digest, handrail, moment } from './handrail-schema.ts'

/** The record. Append-only: the role that writes it has no right to change or empty it, and no policy lets it. */
export const ledgerEntries = handrail.table('ledger_entries', {
  seq: bigint('seq', { mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  tenantId: text('tenant_id').notNull(),
  entryId: uuid('entry_id').notNull(),
  at: moment('at').notNull(),
  event: text('event').notNull(),
  callId: text('call_id').notNull(),
  pack: text('pack').notNull(),
  toolName: text('tool_name').notNull(),
  status: text('status').notNull(),
  userId: text('user_id').notNull(),
  actor: text('actor').notNull(),
  door: text('door').notNull(),
  runId: text('run_id'),
  approvalId: text('approval_id'),
  inputDigest: digest('input_digest').notNull(),
  resultDigest: digest('result_digest'),
})

/**
 * Signed batches of entries. A seal names its entries one by one: numbers are given out before the commit, so a lower
 * one can appear after a higher one was sealed, and must not be missed.
 */
export const seals = handrail.table(
  'seals',
  {
    tenantId: text('tenant_id').notNull(),
    seq: integer('seq').notNull(),
    sealedAt: moment('sealed_at').notNull(),
    count: integer('count').notNull(),
    root: text('root').notNull(),
    previous: text('previous'),
    signature: text('signature').notNull(),
    /** The entries' numbers in order, as a JSON array. */
    members: json('members').notNull(),
    lastMember: bigint('last_member', { mode: 'number' }).notNull(),
    storedAt: moment('stored_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.seq] }), index('seals_recent').on(table.storedAt)],
)
