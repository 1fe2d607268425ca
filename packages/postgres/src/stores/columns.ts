/** A table's columns in the order their values are sent, each with its Postgres type. */
export type Columns = Readonly<Record<string, string>>

export function names(columns: Columns): string {
  return Object.keys(columns).join(', ')
}

/** `$3::text, $4::json …`: the casts are needed where values are selected rather than inserted directly. */
export function placeholders(columns: Columns, first: number): string {
  return Object.values(columns)
    .map((type, index) => `$${first + index}::${type}`)
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

/** The bounds of a page: rows below `before`, one more than asked for to see whether there is a next page. */
export function pageOf(filter: { cursor?: string; limit?: number }): { before: number; limit: number } {
  const limit = Math.max(1, Math.min(filter.limit ?? defaultLimit, longestLimit))
  if (filter.cursor === undefined) return { before: Number.MAX_SAFE_INTEGER, limit }
  // A cursor that is not one of ours finds nothing.
  return { before: /^\d{1,15}$/.test(filter.cursor) ? Number(filter.cursor) : 0, limit }
}

export function toPage<Row extends { seq: number }, T>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => T,
): { items: T[]; nextCursor?: string } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const items = shown.map(toItem)
  return rows.length > limit && last ? { items, nextCursor: String(last.seq) } : { items }
}
