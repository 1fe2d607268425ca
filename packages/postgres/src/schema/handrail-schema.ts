import { bigint, customType, pgSchema, timestamp } from 'drizzle-orm/pg-core'

/**
 * Our own Postgres schema. Every table has a `tenant_id`, and every primary key starts with it. No other index does: on
 * tables without statistics the planner holds two indexes with the same first column for equally good, and an index by
 * workspace alone reads all of the workspace's rows.
 */
export const handrail = pgSchema('handrail')

/** A moment to the millisecond, as JavaScript has it, so that what is read back equals what was written. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** The order of insertion, where ids are not made by us in order of time. */
export const order = () => bigint('seq', { mode: 'number' }).generatedAlwaysAsIdentity()

/** A digest, in half the space of its hex digits: the ledger is written more than anything else. */
export const digest = customType<{ data: string; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  toDriver: (hex) => Buffer.from(hex, 'hex'),
  fromDriver: (bytes) => Buffer.from(bytes).toString('hex'),
})
