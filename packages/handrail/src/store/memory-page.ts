import type { Page } from './store.ts'

/** Page length when none is asked for, and the longest that is given. */
const defaultLimit = 50
const longestLimit = 500

/**
 * Newest first, from an append-only list of ids. The cursor is a place in that list, so what is added meanwhile
 * neither repeats nor hides anything.
 */
export function newestFirst<T>(
  order: readonly string[],
  rows: ReadonlyMap<string, T>,
  filter: { cursor?: string; limit?: number },
  matches: (row: T) => boolean,
): Page<T> {
  const limit = Math.max(1, Math.min(filter.limit ?? defaultLimit, longestLimit))
  const items: T[] = []
  let lastIndex = 0
  for (let index = startOf(filter.cursor, order.length); index >= 0; index -= 1) {
    const row = rows.get(order[index] ?? '')
    if (row === undefined || !matches(row)) continue
    if (items.length === limit) return { items, nextCursor: String(lastIndex) }
    items.push(row)
    lastIndex = index
  }
  return { items }
}

/** A cursor that is not one of ours finds nothing. */
function startOf(cursor: string | undefined, length: number): number {
  if (cursor === undefined) return length - 1
  return /^\d{1,15}$/.test(cursor) ? Math.min(Number(cursor), length) - 1 : -1
}
