import type { Source } from '../tool/tool-result.ts'

const mostSources = 20
const mostChunks = 20
const longestText = 300

/**
 * Keeps a result's sources readable: without doubles, at most 20, their texts bounded, empty ones dropped. Sources of
 * the same table and query are one when they name the same record.
 */
export function boundSources(sources: readonly Source[]): Source[] {
  const kept = new Map<string, Source>()
  for (const source of sources) {
    const bounded = bound(source)
    if (Object.keys(bounded).length === 0) continue
    const identity = JSON.stringify([bounded.table, bounded.id, bounded.query, bounded.url, bounded.chunkIds])
    if (!kept.has(identity)) kept.set(identity, bounded)
    if (kept.size === mostSources) break
  }
  return [...kept.values()]
}

function bound({ table, id, query, chunkIds, url }: Source): Source {
  const source: Source = {}
  if (table) source.table = cut(table)
  if (id) source.id = cut(id)
  if (query) source.query = cut(query)
  if (chunkIds && chunkIds.length > 0) source.chunkIds = [...new Set(chunkIds)].slice(0, mostChunks).map(cut)
  if (url) source.url = cut(url)
  return source
}

function cut(text: string): string {
  const plain = String(text)
  return plain.length <= longestText ? plain : `${plain.slice(0, longestText).toWellFormed()}…`
}
