import { leftOutKey } from '../present/shorten.ts'

export type Row = Readonly<Record<string, unknown>>

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export interface Rows {
  rows: Row[]
  /** How many there are in all, where the list says so. */
  total: number | undefined
  /** False when more pages follow or the list was shortened: what is not in it may still exist. */
  isWhole: boolean
  nextCursor: string | undefined
  nextPage: number | undefined
}

/** Reads a list tool's data: an array, or an object with one array of things (`items`, `threads`, …). */
export function rowsOf(data: unknown): Rows | undefined {
  const list = Array.isArray(data) ? data : isRow(data) ? listIn(data) : undefined
  if (!list) return undefined
  const all = list.filter(isRow)
  const rows = all.filter((row) => !Object.hasOwn(row, leftOutKey))
  const page = isRow(data) ? data : {}
  const nextCursor = typeof page.nextCursor === 'string' ? page.nextCursor : undefined
  const total = typeof page.total === 'number' ? page.total : undefined
  const hasNextPage =
    typeof page.page === 'number' && typeof page.totalPages === 'number' && page.page < page.totalPages
  const isShort = rows.length < all.length || Object.hasOwn(page, leftOutKey)
  return {
    rows,
    total,
    isWhole: !isShort && nextCursor === undefined && !hasNextPage,
    nextCursor,
    nextPage: hasNextPage ? Number(page.page) + 1 : undefined,
  }
}

function listIn(data: Row): unknown[] | undefined {
  if (Array.isArray(data.items)) return data.items
  const lists = Object.values(data).filter((value) => Array.isArray(value))
  return lists.length === 1 ? lists[0] : undefined
}

/** The thing a result is about: the data itself, or the one object in it that has an id (`{ thread, message }`: the named one). */
export function thingIn(data: unknown, idField: string, names: readonly string[]): Row | undefined {
  if (!isRow(data)) return undefined
  if (typeof data[idField] === 'string') return data
  const inner = Object.entries(data).filter(([, value]) => isRow(value) && typeof value[idField] === 'string')
  const named = inner.find(([key]) => names.some((name) => name.replaceAll(' ', '').endsWith(key.toLowerCase())))
  const [, value] = named ?? (inner.length === 1 ? (inner[0] ?? []) : [])
  return isRow(value) ? value : undefined
}
