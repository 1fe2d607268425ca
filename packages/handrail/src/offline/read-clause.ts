import { matchPattern, type PatternMatch } from './match-pattern.ts'
import { nounsOf, type OfferedTool } from './offered-tools.ts'
import type { SlotValue } from './slots.ts'
import { isOpaque, type Token } from './tokenise.ts'
import { isWriteWord, orderVerbs, politeEdges } from './vocabulary.ts'

/** One understanding of a clause: a tool and what its arguments are to be. */
export interface Reading {
  tool: OfferedTool
  slots: Readonly<Record<string, SlotValue>>
  recognised: number
}

/**
 * All understandings of a clause that explain every word of it, best first: the more words were recognised rather than
 * taken as somebody's text, the better.
 */
export function readClause(tokens: readonly Token[], tools: readonly OfferedTool[]): Reading[] {
  const readings = new Map<string, Reading>()
  for (const tool of tools) {
    for (const match of matchesOf(tool, tokens)) {
      const scopeField = tool.phrases.scopeField
      // Words that may name a thing of the request itself are not taken for a project.
      const isElsewhere =
        scopeField !== undefined && tool.target?.name !== scopeField && Object.hasOwn(match.slots, scopeField)
      const reading = { tool, slots: match.slots, recognised: match.recognised - (isElsewhere ? 0.5 : 0) }
      if (!isComplete(reading) || !isMeaningful(reading) || isVerbAsName(reading, tokens)) continue
      const key = `${tool.name} ${JSON.stringify(Object.entries(match.slots).sort(([one], [other]) => (one < other ? -1 : 1)))}`
      const known = readings.get(key)
      if (!known || known.recognised < reading.recognised) readings.set(key, reading)
    }
  }
  return [...readings.values()].sort((one, other) => other.recognised - one.recognised)
}

/** An understanding that explains every word and lacks only some argument: *create a system*. */
export function readIncomplete(tokens: readonly Token[], tools: readonly OfferedTool[]): Reading | undefined {
  const { from, to } = politeEdges(tokens.map((token) => (isOpaque(token) ? '"' : token.lower)))
  const clause = tokens.slice(from, to)
  const readings = tools.flatMap((tool) => matchesOf(tool, clause).map((match) => ({ tool, ...match })))
  return readings
    .filter((reading) => !isComplete(reading) && isMeaningful(reading))
    .sort((one, other) => other.recognised - one.recognised)[0]
}

function matchesOf(tool: OfferedTool, tokens: readonly Token[]): PatternMatch[] {
  const [start] = tokens
  const word = start === undefined || isOpaque(start) ? '' : start.lower
  return tool.patterns.flatMap(({ nodes, first }) =>
    first === undefined || first.has(word) ? matchPattern(nodes, tokens, tool.frame) : [],
  )
}

/** Arguments that a request must have and this one has not, by what people call them. */
export function missingFields({ tool, slots }: Pick<Reading, 'tool' | 'slots'>): string[] {
  const derived = tool.phrases.slugs ?? {}
  return tool.fields
    .filter((field) => field.required && !Object.hasOwn(slots, field.name) && field.name !== tool.phrases.scopeField)
    .filter((field) => !(Object.hasOwn(derived, field.name) && Object.hasOwn(slots, derived[field.name] ?? '')))
    .map((field) => field.words[0] ?? field.name)
}

function isComplete(reading: Reading): boolean {
  if (missingFields(reading).length > 0) return false
  if (reading.tool.kind !== 'update') return true
  return Object.keys(reading.slots).some(
    (name) => name !== reading.tool.target?.name && name !== reading.tool.phrases.scopeField,
  )
}

function isChoice(word: string, { fields }: OfferedTool): boolean {
  return fields.some(({ choices }) => choices.some(({ words }) => words.includes(word)))
}

/** A question that begins with the verb of an order has not named a thing by it: *(can you) delete systems*. */
function isVerbAsName({ tool, slots }: Reading, [first]: readonly Token[]): boolean {
  if (tool.kind !== 'read' || !first || isOpaque(first)) return false
  if (!orderVerbs.has(first.lower) && !isWriteWord(first.lower)) return false
  return Object.values(slots).some(
    (slot) =>
      slot.kind === 'reference' &&
      slot.names.some(
        (name) => name.kind === 'name' && !name.isQuoted && name.text.toLowerCase().split(' ')[0] === first.lower,
      ),
  )
}

/** A thing whose name is nothing but the word for such things (*delete the systems*) is no thing. */
function isMeaningful({ tool, slots }: Reading): boolean {
  const nounWords = new Set([...nounsOf(tool.phrases).values()].flatMap((nouns) => nouns.flat()))
  const isMoreThanNouns = (text: string) =>
    text
      .toLowerCase()
      .split(' ')
      .some((word) => !nounWords.has(word))
  return Object.values(slots).every((slot) => {
    if (slot.kind === 'reference')
      return slot.names.every((name) => name.kind === 'pronoun' || name.isQuoted || isMoreThanNouns(name.text))
    if (slot.isPlain !== true || typeof slot.value !== 'string') return true
    // *a core combat system* may mean a value or a name: it has to be said more exactly.
    const words = slot.value.toLowerCase().split(' ')
    return (
      isMoreThanNouns(slot.value) && (tool.kind === 'read' || !words.slice(0, -1).some((word) => isChoice(word, tool)))
    )
  })
}
