/** A table's columns in the order their values are sent, each with its Postgres type; a `digest` is sent as hex digits. */
export type Columns = Readonly<Record<string, string>>

export function names(columns: Columns): string {
  return Object.keys(columns).join(', ')
}

/** `$3::text, $4::json …`: the casts are needed where values are selected rather than inserted directly. */
export function placeholders(columns: Columns, first: number): string {
  return Object.values(columns)
    .map((type, index) => (type === 'digest' ? `decode($${first + index}, 'hex')` : `$${first + index}::${type}`))
    .join(', ')
}

/** The columns as they are read: digests as hex digits. */
export function selected(columns: Columns, table: string): string {
  return Object.entries(columns)
    .map(([name, type]) => (type === 'digest' ? `encode(${table}.${name}, 'hex') as ${name}` : `${table}.${name}`))
    .join(', ')
}

export function count(columns: Columns): number {
  return Object.keys(columns).length
}

export function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

export function moment(text: string): Date
export function moment(text: string | null): Date | undefined
export function moment(text: string | null): Date | undefined {
  return text === null ? undefined : new Date(text)
}

/** What SQL calls null is left out in our types. */
export function present<T>(value: T | null): T | undefined {
  return value ?? undefined
}

/** Page length when none is asked for, and the longest that is given. */
const defaultLimit = 50
const longestLimit = 500

export function pageLimit(filter: { limit?: number }): number {
  return Math.max(1, Math.min(filter.limit ?? defaultLimit, longestLimit))
}

/** Our ids are UUIDs of version 7, in order of time: a cursor is the last id shown. */
export function isIdCursor(cursor: string | undefined): boolean {
  return cursor === undefined || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(cursor)
}

/** The rows of a page, of which one more was read than is shown. */
export function toPage<Row, T>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => T,
  cursorOf: (row: Row) => string | number,
): { items: T[]; nextCursor?: string } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const items = shown.map(toItem)
  return rows.length > limit && last !== undefined ? { items, nextCursor: String(cursorOf(last)) } : { items }
}
