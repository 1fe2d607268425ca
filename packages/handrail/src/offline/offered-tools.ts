import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { PackPhrases } from '../pack/pack.ts'
import type { ToolKind } from '../tool/tool.ts'
import { type Field, type InputSchema, readFields } from './fields.ts'
import { firstWords } from './first-words.ts'
import type { PatternFrame } from './match-pattern.ts'
import { type PatternNode, parsePattern } from './pattern.ts'
import { detailPatterns, generalPatterns, targetField } from './request-patterns.ts'

/** What the interpreter is told of a pack: its words, and each tool's category and kind. */
export interface PackHints {
  name: string
  tools: readonly { readonly name: string; readonly category: string; readonly kind: ToolKind }[]
  phrases?: PackPhrases
}

/** A way to ask for a tool, and the words it can begin with. */
export interface Pattern {
  nodes: readonly PatternNode[]
  first: ReadonlySet<string> | undefined
}

/** An offered tool, ready to be recognised. */
export interface OfferedTool {
  /** As offered; carries the pack's name where two packs' tools clash. */
  name: string
  /** As its pack calls it. */
  plainName: string
  category: string
  kind: ToolKind
  fields: readonly Field[]
  target: Field | undefined
  phrases: PackPhrases
  frame: PatternFrame
  patterns: readonly Pattern[]
  pack: string
}

const noPhrases: PackPhrases = { nouns: {} }

/** Joins the tools a person may call with what their packs say of them. A tool of no known pack is reached by script lines only. */
export function offeredTools(
  tools: readonly LanguageModelV4FunctionTool[],
  packs: readonly PackHints[],
): OfferedTool[] {
  return tools.flatMap((tool) => {
    for (const pack of packs) {
      const known = pack.tools.find(({ name }) => name === tool.name || `${pack.name}__${name}` === tool.name)
      if (known) return [offeredTool(tool, known, pack)]
    }
    return []
  })
}

function offeredTool(
  tool: LanguageModelV4FunctionTool,
  { name, category, kind }: PackHints['tools'][number],
  pack: PackHints,
): OfferedTool {
  const phrases = pack.phrases ?? noPhrases
  const fields = readFields(tool.inputSchema as InputSchema, phrases) // a JSON Schema by its type; read defensively
  const nouns = nounsOf(phrases)
  const isMainGet = isPlainGet(name, category, pack)
  const source = { name, category, kind, fields, phrases, isMainGet }
  return {
    name: tool.name,
    plainName: name,
    category,
    kind,
    fields,
    target: targetField(source),
    phrases,
    pack: pack.name,
    frame: {
      category,
      fields: new Map([...scopeFieldOf(phrases), ...fields].map((field) => [field.name, field])),
      nouns,
      details: detailPatterns(source).map(parsePattern),
    },
    patterns: generalPatterns(source).map((pattern) => {
      const nodes = parsePattern(pattern)
      return { nodes, first: firstWords(nodes, { nouns }) }
    }),
  }
}

/** `get_project` is how one sees a project; without a tool of that name any `get_…` of the category is. */
function isPlainGet(name: string, category: string, pack: PackHints): boolean {
  const plain = `get_${category.replaceAll('-', '_')}`
  return name === plain || (name.startsWith('get_') && !pack.tools.some((tool) => tool.name === plain))
}

/** A project can be named with every request, also with those whose tool takes no project: what is meant must never be lost. */
function scopeFieldOf(phrases: PackPhrases): Field[] {
  const name = phrases.scopeField
  return name === undefined
    ? []
    : [{ name, kind: 'reference', required: false, words: [], choices: [], maximum: undefined }]
}

const nounTables = new WeakMap<PackPhrases, ReadonlyMap<string, readonly (readonly string[])[]>>()

/** Each category's nouns in singular and plural; under `category*` the plurals alone, under `category!` the singulars. Longer ones first. */
export function nounsOf(phrases: PackPhrases): ReadonlyMap<string, readonly (readonly string[])[]> {
  const known = nounTables.get(phrases)
  if (known) return known
  const longestFirst = (nouns: readonly string[]) =>
    nouns.map((noun) => noun.split(' ')).sort((one, other) => other.length - one.length)
  const table = new Map<string, readonly (readonly string[])[]>()
  for (const [category, written] of Object.entries(phrases.nouns)) {
    const forms = written.map(formsOf)
    table.set(category, longestFirst([...new Set(forms.flatMap(({ singular, plural }) => [singular, plural]))]))
    table.set(`${category}!`, longestFirst(forms.map(({ singular }) => singular)))
    table.set(`${category}*`, longestFirst(forms.map(({ plural }) => plural)))
  }
  nounTables.set(phrases, table)
  return table
}

/** `system` → system, systems; `projekt|projekte` as it says. */
export function formsOf(written: string): { singular: string; plural: string } {
  const [singular = '', plural = pluralOf(singular)] = written.toLowerCase().split('|')
  return { singular, plural }
}

function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  return /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`
}
