import type { OfferedTool } from './offered-tools.ts'
import { type Rows, rowsOf } from './rows.ts'
import type { PastCall, PlannedCall } from './transcript.ts'

export interface NeededList {
  tool: OfferedTool
  listTool: string
  scopeId: string | undefined
}

const mostPages = 5

/** Lists that names are looked up in, each read once and whole as far as a few pages go. */
export class Lists {
  private readonly known = new Map<string, Rows | string>()
  private readonly tools: readonly OfferedTool[]

  constructor(tools: readonly OfferedTool[]) {
    this.tools = tools
  }

  /** The rows of a list that was read, or why there are none. */
  rows(tool: OfferedTool, listTool: string, scopeId: string | undefined): Rows | string {
    const list = this.listTool(tool, listTool)
    return (
      (list && this.known.get(keyOf(list, inputOf(list, scopeId)))) ?? `\`${listTool}\` is not among my tools here.`
    )
  }

  /** Reads what is not known yet, all first pages in one step. */
  *read(needed: readonly NeededList[]): Generator<PlannedCall[], void, PastCall[]> {
    const open = new Map<string, { list: OfferedTool; input: Record<string, unknown>; firstKey: string }>()
    for (const { tool, listTool, scopeId } of needed) {
      const list = this.listTool(tool, listTool)
      if (!list) continue
      const input = inputOf(list, scopeId)
      const key = keyOf(list, input)
      if (!this.known.has(key)) open.set(key, { list, input, firstKey: key })
    }
    for (let page = 1; open.size > 0 && page <= mostPages; page++) {
      const asked = [...open.values()]
      const results = yield asked.map(({ list, input }) => ({ toolName: list.name, input }))
      for (const [index, { input, firstKey }] of asked.entries()) {
        const result = results[index]?.result
        const rows = result?.success ? rowsOf(result.data) : undefined
        const before = this.known.get(firstKey)
        const whole = rows && typeof before === 'object' ? { ...rows, rows: [...before.rows, ...rows.rows] } : rows
        this.known.set(firstKey, whole ?? (result && 'error' in result ? result.error : 'The list could not be read.'))
        const entry = open.get(firstKey)
        if (rows?.nextCursor !== undefined && entry) entry.input = { ...input, cursor: rows.nextCursor }
        else if (rows?.nextPage !== undefined && entry) entry.input = { ...input, page: rows.nextPage }
        else open.delete(firstKey)
      }
    }
  }

  private listTool(tool: OfferedTool, listTool: string): OfferedTool | undefined {
    return this.tools.find(({ plainName, pack }) => pack === tool.pack && plainName === listTool)
  }
}

/** The largest page that the list tool gives, in the project that was named. */
function inputOf(list: OfferedTool, scopeId: string | undefined): Record<string, unknown> {
  const size = list.fields.find(({ name, kind }) => kind === 'number' && /^(limit|pageSize)$/.test(name))
  const scopeField = list.phrases.scopeField
  return {
    ...(scopeId !== undefined && scopeField !== undefined && list.fields.some(({ name }) => name === scopeField)
      ? { [scopeField]: scopeId }
      : {}),
    ...(size?.maximum === undefined ? {} : { [size.name]: size.maximum }),
  }
}

function keyOf(list: OfferedTool, input: Record<string, unknown>): string {
  return `${list.name} ${JSON.stringify(input)}`
}
