import { bigint, pgSchema, timestamp } from 'drizzle-orm/pg-core'

/** Our own Postgres schema. Every table has a `tenant_id`, and every key starts with it. */
export const handrail = pgSchema('handrail')

/** A moment to the millisecond, as JavaScript has it, so that what is read back equals what was written. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** The order of insertion: what lists are sorted by, and what cursors point into. */
export const order = () => bigint('seq', { mode: 'number' }).generatedAlwaysAsIdentity()
