import { matchPattern } from './match-pattern.ts'
import { formsOf, type OfferedTool } from './offered-tools.ts'
import { parsePattern } from './pattern.ts'
import { type Reading, readClause } from './read-clause.ts'
import { type SlotValue, splitList } from './slots.ts'
import { isOpaque, type Token, tokenise } from './tokenise.ts'
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
      const clause = this.clausesAt(start, end, previous)
      if (!clause) continue
      const understood = [...before, ...clause]
      if (end > this.furthest.end) this.furthest = { clauses: understood, end }
      const rest = this.from(
        end + (end < this.tokens.length && this.tokens[end]?.kind === 'mark' ? 1 : 0),
        clause.at(-1),
        understood,
      )
      if (rest) return [...clause, ...rest]
    }
    return undefined
  }

  /** *In Dungeon Crawler, …* at the beginning. */
  leadingScope(): { name: SlotValue; end: number } | undefined {
    for (const tool of this.tools) {
      const field = tool.phrases.scopeField
      const noun = field && tool.phrases.references?.[field]?.category
      if (!field || !noun || !tool.frame.fields.has(field)) continue
      const pattern = parsePattern(
        `((in|within|inside|for|im|für) [@the] (<${field}> #${noun}|#${noun} <${field}>)|(in|within|inside|im) <${field}>)`,
      )
      const { from } = politeEdges(this.tokens.map((token) => token.lower))
      const comma = this.tokens.findIndex(
        (token, index) => index > from && token.kind === 'mark' && /^[,:]$/.test(token.text),
      )
      if (comma < 0 || this.tokens[comma + 1]?.kind === 'tail') return undefined
      const [match] = matchPattern(pattern, this.tokens.slice(from, comma), tool.frame).sort(
        (one, other) => other.recognised - one.recognised,
      )
      const name = match?.slots[field]
      return name && { name, end: comma + 1 }
    }
    return undefined
  }

  /** One clause, or several when one verb has several things: *create combat and loot systems*. */
  private clausesAt(start: number, end: number, previous: Clause | undefined): Clause[] | undefined {
    const whole = this.tokens.slice(start, end)
    const edges = politeEdges(whole.map((token) => (isOpaque(token) ? '"' : token.lower)))
    const tokens = whole
      .slice(edges.from, edges.to)
      .filter((token) => isOpaque(token) || !/^(please|pls|plz|kindly|bitte)$/.test(token.lower))
    if (tokens.length === 0) return undefined
    const mayWrite = edges.asks || !(this.tokens[end]?.text === '?' || whole.at(-1)?.text === '?')
    const allowed = (clause: Clause) => ({
      ...clause,
      readings: clause.readings.filter(({ tool }) => tool.kind === 'read' || mayWrite),
    })
    const joint = this.tokens[start - 1] ?? this.tokens[start]
    const isJoined = [this.tokens[start], joint].some(
      (token) => token !== undefined && !isOpaque(token) && /^(,|and|und)$/.test(token.lower),
    )
    const single = allowed(this.clause(tokens, isJoined ? previous : undefined))
    if (single.readings.length > 0) return [single]
    const several = this.distributed(tokens)?.map(allowed)
    return several?.every(({ readings }) => readings.length > 0) ? several : undefined
  }

  /** A clause without a verb takes over the one before: *create a combat system and a loot system*. */
  private clause(tokens: readonly Token[], previous: Clause | undefined): Clause {
    const own = { tokens, readings: this.remembered(tokens) }
    const [first] = tokens
    if (own.readings.length > 0 || !previous || !first || (!isOpaque(first) && orderVerbs.has(first.lower))) return own
    const tools = new Set(previous.readings.map(({ tool }) => tool))
    for (let length = 1; length <= 3; length++) {
      const borrowed = previous.tokens.slice(0, length)
      if (borrowed.length < length || borrowed.some(isOpaque)) break
      const completed = [...borrowed, ...tokens]
      const readings = this.remembered(completed).filter(({ tool }) => tools.has(tool))
      if (readings.length > 0) return { tokens: completed, readings }
    }
    return own
  }

  /** *create combat and loot systems* as *create combat system* and *create loot system*. */
  private distributed(tokens: readonly Token[]): Clause[] | undefined {
    for (const { at, length, singular } of this.pluralsIn(tokens)) {
      for (let verb = 1; verb <= 3 && verb <= at; verb++) {
        const before = withoutArticles(tokens.slice(verb, at))
        const after = tokens.slice(at + length)
        const isBefore = before.length > 0
        const parts = splitList(isBefore ? before : after)
        if (!parts || parts.length < 2) continue
        const clauses = parts.map((part) =>
          this.clause(
            [...tokens.slice(0, verb), ...(isBefore ? [...part, ...singular, ...after] : [...singular, ...part])],
            undefined,
          ),
        )
        if (clauses.every(({ readings }) => readings.length > 0)) return clauses
      }
    }
    return undefined
  }

  private pluralsIn(tokens: readonly Token[]): { at: number; length: number; singular: Token[] }[] {
    const nouns = new Set(
      [...new Set(this.tools.map(({ phrases }) => phrases))].flatMap((phrases) => Object.values(phrases.nouns).flat()),
    )
    return [...nouns]
      .flatMap((written) => {
        const { singular, plural } = formsOf(written)
        const words = plural.split(' ')
        const at = tokens.findIndex((_, index) =>
          words.every(
            (word, offset) => tokens[index + offset]?.kind === 'word' && tokens[index + offset]?.lower === word,
          ),
        )
        return at < 0 ? [] : [{ at, length: words.length, singular: tokenise(singular) }]
      })
      .sort((one, other) => other.length - one.length)
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

function withoutArticles(tokens: readonly Token[]): readonly Token[] {
  const first = tokens.findIndex((token) => isOpaque(token) || !/^(a|an|the|our|new|two|three|both)$/.test(token.lower))
  return first < 0 ? [] : tokens.slice(first)
}

function isBreak(token: Token | undefined): boolean {
  if (!token) return true
  if (token.kind === 'mark') return /^[,;.!?\n–—-]$/.test(token.text)
  return token.kind === 'word' && /^(and|then|und|dann)$/.test(token.lower)
}
