/** Which page of a list: pages count from 1. */
export interface PageRequest {
  page: number
  pageSize: number
}

export interface PageOf<Item> {
  items: Item[]
  total: number
  page: number
  pageSize: number
  totalPages: number
}

/** Makes a page of the rows read for it and the count of all rows. An empty list has no pages. */
export function pageOf<Item>(items: Item[], total: number, { page, pageSize }: PageRequest): PageOf<Item> {
  return { items, total, page, pageSize, totalPages: Math.ceil(total / pageSize) }
}

export function offsetOf({ page, pageSize }: PageRequest): number {
  return (page - 1) * pageSize
}
