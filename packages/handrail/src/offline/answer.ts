import { leftOutKey } from '../present/shorten.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import type { OfferedTool } from './offered-tools.ts'
import { isRow, type Row, rowsOf } from './rows.ts'

const mostRows = 40
const mostText = 600
const mostFields = 5

/** One call with what came of it, in words. `summary`: what was asked for, like `delete game system "Old Prototype"`. */
export interface AnsweredCall {
  tool: OfferedTool | undefined
  toolName: string
  summary: string
  result: ToolResult
}

/** What came of the calls of a message, in plain words, from the results alone. */
export function answerOf(calls: readonly AnsweredCall[], stopped: string | undefined): string {
  const parts = calls.map(answerToCall)
  if (stopped !== undefined) parts.push(stopped)
  return parts.join('\n\n')
}

function answerToCall({ tool, summary, result }: AnsweredCall): string {
  if ('requiresConfirmation' in result) {
    const warning =
      isRow(result.preview) && typeof result.preview.warning === 'string' ? ` ${result.preview.warning}` : ''
    return `Waiting for approval: ${summary}. ${result.message}${warning}`.trim()
  }
  if (!result.success) {
    const next = result.next === undefined ? '' : ` ${result.next}`
    return `I could not ${summary}: ${sentence(result.error)}${next}`
  }
  const message = result.message === '' ? `Done: ${summary}` : result.message
  if (tool && tool.kind !== 'read') return sentence(message)
  const list = rowsOf(result.data)
  if (list && (!isRow(result.data) || titleOf(result.data, tool) === undefined) && isPlainList(result.data)) {
    return listAnswer(list.rows, list.total ?? list.rows.length, list.isWhole, tool, message)
  }
  const details = isRow(result.data) ? detailsOf(result.data, tool, 0) : []
  return [sentence(message), ...details].join('\n')
}

/** Is this data one list of things and no more than paging around it? */
function isPlainList(data: unknown): boolean {
  return (
    Array.isArray(data) ||
    (isRow(data) && Object.values(data).filter((value) => typeof value === 'object' && value !== null).length === 1)
  )
}

function listAnswer(
  rows: readonly Row[],
  total: number,
  isWhole: boolean,
  tool: OfferedTool | undefined,
  message: string,
): string {
  const noun = tool === undefined ? 'things' : nounFor(tool, total)
  if (rows.length === 0)
    return `There are no ${noun}${tool && Object.keys(tool.phrases.nouns).length > 0 ? ' that fit' : ''}. (${sentence(message)})`
  const shown = rows.slice(0, mostRows)
  const isCounted = tool === undefined || tool.plainName.startsWith('list_')
  const head = `${isCounted ? `${total} ${noun}` : `${capital(noun)}, ${total} in all`}${shown.length < total ? `, of which I show ${shown.length}` : ''}:`
  const lines = shown.map((row) => `- ${lineOf(row, tool)}`)
  return [head, ...lines, ...(isWhole || shown.length < total ? [] : ['- and more'])].join('\n')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function nounFor({ plainName, category, phrases }: OfferedTool, count: number): string {
  const said =
    /^(?:list|get)_(.+)$/.exec(plainName)?.[1]?.replaceAll('_', ' ') ?? phrases.nouns[category]?.[0] ?? 'things'
  return count === 1 ? said.replace(/ies$/, 'y').replace(/s$/, '') : said
}

function lineOf(row: Row, tool: OfferedTool | undefined): string {
  const title = titleOf(row, tool)
  const facts = Object.entries(row).flatMap(([key, value]) =>
    value === title || !isShortFact(key, value) ? [] : [factOf(key, value)],
  )
  const shown = facts.slice(0, mostFields).join(', ')
  if (title === undefined) return shown === '' ? 'one without a name' : shown
  return shown === '' ? title : `${title} (${shown})`
}

/** The name of a thing: the field its pack names it by, else the usual ones. */
function titleOf(row: Row, tool: OfferedTool | undefined): string | undefined {
  const own = Object.values(tool?.phrases.references ?? {}).filter(({ category }) => category === tool?.category)
  const fields = [...own.flatMap(({ nameFields }) => nameFields), 'name', 'title', 'label', 'summary', 'content']
  const titles = fields.map((field) => row[field]).filter((value) => typeof value === 'string' && value !== '')
  const [title] = titles
  return typeof title === 'string' ? cut(title, 160) : undefined
}

function isShortFact(key: string, value: unknown): boolean {
  if (/(^id|Id|Ids|At|href|cursor|version)$/.test(key)) return false
  if (typeof value === 'number') return true
  if (typeof value === 'boolean') return value
  return typeof value === 'string' && value !== '' && value.length <= 40 && !/^\d{4}-\d\d-\d\dT/.test(value)
}

function factOf(key: string, value: unknown): string {
  return typeof value === 'string' ? value : value === true ? labelOf(key) : `${labelOf(key)} ${String(value)}`
}

function detailsOf(row: Row, tool: OfferedTool | undefined, depth: number): string[] {
  const indent = '  '.repeat(depth)
  return Object.entries(row).flatMap(([key, value]): string[] => {
    if (key === leftOutKey) return [`${indent}- (${String(value)})`]
    if (/(^id|Id|Ids|^href|Cursor)$/.test(key) || value === null || value === undefined || value === '') return []
    const label = labelOf(key)
    if (Array.isArray(value)) {
      if (value.length === 0) return [`${indent}- ${label}: none`]
      const items = value.slice(0, mostRows).map((item) => (isRow(item) ? lineOf(item, tool) : String(item)))
      const isShort = items.every((item) => item.length <= 60) && items.length <= 12
      return isShort
        ? [`${indent}- ${label}: ${items.join(', ')}`]
        : [`${indent}- ${label}:`, ...items.map((item) => `${indent}  - ${item}`)]
    }
    if (isRow(value)) return depth < 2 ? [`${indent}- ${label}:`, ...detailsOf(value, tool, depth + 1)] : []
    return [`${indent}- ${label}: ${cut(String(value), mostText)}`]
  })
}

function labelOf(key: string): string {
  return key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
