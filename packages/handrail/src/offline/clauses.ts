import type { OfferedTool } from './offered-tools.ts'
import { type Reading, readClause } from './read-clause.ts'
import type { SlotValue } from './slots.ts'
import { isOpaque, type Token } from './tokenise.ts'
import { matchPattern } from './match-pattern.ts'
import { parsePattern } from './pattern.ts'
import { orderVerbs, politeEdges } from './vocabulary.ts'

/** One clause of a message with its possible understandings, best first. */
export interface Clause {
  tokens: readonly Token[]
  readings: readonly Reading[]
}

export interface Understanding {
  clauses: Clause[]
  /** A project (or whatever the pack's scope is) named before the orders: *In Dungeon Crawler, …* */
  scopeName: SlotValue | undefined
}

/** What was understood of a message until a part of it was not. */
export interface Misunderstanding {
  understood: Clause[]
  rest: readonly Token[]
}

const mostTokens = 240

/**
 * Splits a message into clauses that are each understood whole. All or nothing: one part that is not understood makes
 * the message not understood, since it may change what the others mean.
 */
export function readMessage(tokens: readonly Token[], tools: readonly OfferedTool[]): Understanding | Misunderstanding {
  if (tokens.length > mostTokens) return { understood: [], rest: tokens.slice(0, 12) }
  const reader = new MessageReader(tokens, tools)
  const plain = reader.from(0, undefined)
  const scope = plain ? undefined : reader.leadingScope()
  const clauses = plain ?? (scope && reader.from(scope.end, undefined))
  if (clauses && clauses.length > 0) return { clauses, scopeName: scope?.name }
  return { understood: reader.furthest.clauses, rest: tokens.slice(reader.furthest.end) }
}

export function isUnderstood(result: Understanding | Misunderstanding): result is Understanding {
  return 'clauses' in result
}

class MessageReader {
  furthest: { clauses: Clause[]; end: number } = { clauses: [], end: 0 }
  private readonly tokens: readonly Token[]
  private readonly tools: readonly OfferedTool[]
  private readonly known = new Map<string, readonly Reading[]>()

  constructor(tokens: readonly Token[], tools: readonly OfferedTool[]) {
    this.tokens = tokens
    this.tools = tools
  }

  /** Clauses from a place to the end; undefined when some part is not understood. Prefers long clauses. */
  from(start: number, previous: Clause | undefined, before: readonly Clause[] = []): Clause[] | undefined {
    if (this.tokens.slice(start).every((token) => token.kind === 'mark')) return []
    for (let end = this.tokens.length; end > start; end--) {
      if (end < this.tokens.length && !isBreak(this.tokens[end])) continue
      const clause = this.clauseAt(start, end, previous)
      if (!clause) continue
      const understood = [...before, clause]
      if (end > this.furthest.end) this.furthest = { clauses: understood, end }
      const rest = this.from(end + (end < this.tokens.length && this.tokens[end]?.kind === 'mark' ? 1 : 0), clause, understood)
      if (rest) return [clause, ...rest]
    }
    return undefined
  }

  /** *In Dungeon Crawler, …* at the beginning. */
  leadingScope(): { name: SlotValue; end: number } | undefined {
    for (const tool of this.tools) {
      const field = tool.phrases.scopeField
      const noun = field && tool.phrases.references?.[field]?.category
      if (!field || !noun || !tool.frame.fields.has(field)) continue
      const pattern = parsePattern(`((in|within|inside|for|im|für) [@the] (<${field}> #${noun}|#${noun} <${field}>)|(in|within|inside|im) <${field}>)`)
      const { from } = politeEdges(this.tokens.map((token) => token.lower))
      const comma = this.tokens.findIndex((token, index) => index > from && token.kind === 'mark' && /^[,:]$/.test(token.text))
      if (comma < 0 || this.tokens[comma + 1]?.kind === 'tail') return undefined
      const [match] = matchPattern(pattern, this.tokens.slice(from, comma), tool.frame).sort((one, other) => other.recognised - one.recognised)
      const name = match?.slots[field]
      return name && { name, end: comma + 1 }
    }
    return undefined
  }

  private clauseAt(start: number, end: number, previous: Clause | undefined): Clause | undefined {
    const whole = this.tokens.slice(start, end)
    const edges = politeEdges(whole.map((token) => (isOpaque(token) ? '"' : token.lower)))
    const tokens = whole.slice(edges.from, edges.to)
    if (tokens.length === 0) return undefined
    const isQuestion = this.tokens[end]?.text === '?' || whole.at(-1)?.text === '?'
    const readings = this.readings(tokens, previous).filter(({ tool }) => tool.kind === 'read' || !isQuestion || edges.asks)
    return readings.length > 0 ? { tokens, readings } : undefined
  }

  /** A clause without a verb takes over the one before: *create a combat system and a loot system*. */
  private readings(tokens: readonly Token[], previous: Clause | undefined): readonly Reading[] {
    const own = this.remembered(tokens)
    const [first] = tokens
    if (own.length > 0 || !previous || !first || (!isOpaque(first) && orderVerbs.has(first.lower))) return own
    const tools = new Set(previous.readings.map(({ tool }) => tool))
    for (let length = 1; length <= 3; length++) {
      const borrowed = previous.tokens.slice(0, length)
      if (borrowed.length < length || borrowed.some(isOpaque)) break
      const completed = this.remembered([...borrowed, ...tokens]).filter(({ tool }) => tools.has(tool))
      if (completed.length > 0) return completed
    }
    return []
  }

  private remembered(tokens: readonly Token[]): readonly Reading[] {
    const key = tokens.map((token) => `${token.kind} ${token.text}`).join('\u0001')
    const known = this.known.get(key)
    if (known) return known
    const readings = readClause(tokens, this.tools)
    this.known.set(key, readings)
    return readings
  }
}

function isBreak(token: Token | undefined): boolean {
  if (!token) return true
  if (token.kind === 'mark') return /^[,;.!?\n–—-]$/.test(token.text)
  return token.kind === 'word' && /^(and|then|und|dann)$/.test(token.lower)
}
