import type { OfferedTool } from './offered-tools.ts'
import type { Reading } from './read-clause.ts'
import { isSameName, type ReferenceHint, resolveName, titleOf } from './resolve-names.ts'
import { type Row, type Rows, rowsOf, thingIn } from './rows.ts'
import type { Name, SlotValue } from './slots.ts'
import type { PastCall } from './transcript.ts'

/** A call to be made. An argument that an earlier call of this message will give is a `Later`. */
export interface Request {
  tool: OfferedTool
  input: Record<string, unknown>
  /** What it is about, in words: `delete game system "Old Prototype"`. */
  summary: string
}

/** The id of the thing that an earlier request of the same message makes. */
export class Later {
  readonly requestIndex: number
  readonly idField: string
  constructor(requestIndex: number, idField: string) {
    this.requestIndex = requestIndex
    this.idField = idField
  }
}

export type Bound = { kind: 'bound'; request: Request } | { kind: 'problem'; text: string; isFinal?: boolean }

/** What names are resolved against. */
export interface Surroundings {
  /** Rows of a list tool, read in this turn, or why it could not be read. */
  rowsOf: (tool: OfferedTool, listTool: string) => Rows | string
  /** Requests of the same message that come before. */
  before: readonly Request[]
  /** Calls of the turn before, for *it*. */
  lastTurn: readonly PastCall[]
  toolNamed: (name: string) => OfferedTool | undefined
  /** The project that the message names, when it names one for this clause. */
  scopeId: string | undefined
}

/** The list tools that a reading's names need. */
export function neededLists({ tool, slots }: Reading, surroundings: Pick<Surroundings, 'before'>): string[] {
  return referencesOf(tool, slots).flatMap(([, hint, slot]) =>
    slot.names.some((name) => name.kind === 'name' && madeBefore(name, hint, tool, surroundings.before) === undefined)
      ? [hint.listTool]
      : [],
  )
}

/** Turns names into ids. Nothing is guessed: no match or several matches are a problem to be told. */
export function bindReading(reading: Reading, surroundings: Surroundings): Bound {
  const { tool, slots } = reading
  const { phrases } = tool
  const input: Record<string, unknown> = {}
  const titles: string[] = []
  for (const [field, slot] of Object.entries(slots)) {
    if (slot.kind === 'value') input[field] = slot.value
  }
  for (const [field, hint, slot] of referencesOf(tool, slots)) {
    const ids: unknown[] = []
    for (const name of slot.names) {
      const found = idOf(name, hint, reading, surroundings)
      if ('problem' in found) return { kind: 'problem', text: found.problem, isFinal: found.isFinal === true }
      ids.push(found.id)
      titles.push(found.title)
    }
    input[field] = slot.isList ? [...new Set(ids)] : ids[0]
  }
  for (const [field, source] of Object.entries(phrases.slugs ?? {})) {
    const name = input[source]
    if (
      tool.kind === 'create' &&
      tool.frame.fields.has(field) &&
      input[field] === undefined &&
      typeof name === 'string'
    )
      input[field] = slugOf(name)
  }
  const scopeField = phrases.scopeField
  if (scopeField !== undefined && surroundings.scopeId !== undefined && tool.target?.name !== scopeField) {
    if (tool.fields.some((field) => field.name === scopeField)) input[scopeField] = surroundings.scopeId
    else if (titles.length === 0) {
      return {
        kind: 'problem',
        text: `\`${tool.name}\` works in the project of this conversation only; I cannot do it in another one.`,
      }
    }
  }
  const subject = phrases.subjects?.[tool.plainName]?.field
  const named =
    titles.length > 0 ? titles : subject !== undefined && typeof input[subject] === 'string' ? [input[subject]] : []
  const summary = [tool.plainName.replaceAll('_', ' '), named.map((title) => `"${title}"`).join(', ')].join(' ').trim()
  return { kind: 'bound', request: { tool, input, summary } }
}

/** The reference hints of a tool's filled arguments; the scope's is left out, it is resolved for the whole message. */
function referencesOf(
  tool: OfferedTool,
  slots: Reading['slots'],
): [string, ReferenceHint, Extract<SlotValue, { kind: 'reference' }>][] {
  return tool.fields.flatMap(({ name: field }) => {
    const hint = tool.phrases.references?.[field]
    const slot = slots[field]
    if (slot?.kind !== 'reference' || !hint) return []
    return field === tool.phrases.scopeField && tool.target?.name !== field ? [] : [[field, hint, slot]]
  })
}

/** `isFinal`: the person has to choose, and nothing else is tried. */
type Found = { id: unknown; title: string } | { problem: string; isFinal?: boolean }

function idOf(name: Name, hint: ReferenceHint, { tool }: Reading, surroundings: Surroundings): Found {
  const what = nounOf(hint, tool)
  if (name.kind === 'pronoun')
    return lastSpokenOf(hint, tool, surroundings) ?? { problem: 'I do not know which one you mean: please name it.' }
  const made = madeBefore(name, hint, tool, surroundings.before)
  if (made) return made
  const list = surroundings.rowsOf(tool, hint.listTool)
  if (typeof list === 'string') return { problem: `I could not look up the ${what} "${name.text}": ${list}` }
  return findRow(name.text, list, hint, tool, what)
}

/** Finds a thing in a list that was read, or says why it is not clear which one is meant. */
export function findRow(said: string, list: Rows, hint: ReferenceHint, tool: OfferedTool, what: string): Found {
  const isWrite = tool.kind !== 'read'
  const found = resolveName(said, list.rows, hint, tool.phrases, isWrite)
  if (found.kind === 'one') {
    const { row } = found
    const isSure = list.isWhole || !isWrite || isSameName(said, titleOf(row, hint), hint.category, tool.phrases)
    return isSure
      ? { id: row[hint.idField], title: titleOf(row, hint) }
      : {
          problem: `There are more than I can see at once, so I am not sure that "${said}" is the only ${what} of that name. Please give its full name.`,
        }
  }
  if (found.kind === 'several') {
    return {
      problem: `"${said}" could be ${listed(found.rows.map((row) => `"${titleOf(row, hint)}"`))}. Please say which ${what} you mean.`,
      isFinal: true,
    }
  }
  const nearest = found.nearest.map((row) => `"${titleOf(row, hint)}"`)
  return {
    problem: `I found no ${what} called "${said}".${nearest.length > 0 ? ` Did you mean ${listed(nearest)}?` : ''}`,
  }
}

export function nounOf(hint: ReferenceHint, tool: OfferedTool): string {
  return tool.phrases.nouns[hint.category]?.[0]?.split('|')[0] ?? hint.category.replaceAll('-', ' ')
}

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`
}

function madeBefore(
  name: Extract<Name, { kind: 'name' }>,
  hint: ReferenceHint,
  { phrases }: OfferedTool,
  before: readonly Request[],
): { id: Later; title: string } | undefined {
  for (const [index, { tool, input }] of before.entries()) {
    const subject = phrases.subjects?.[tool.plainName]?.field
    const made = subject === undefined ? undefined : input[subject]
    if (
      tool.kind === 'create' &&
      tool.category === hint.category &&
      typeof made === 'string' &&
      isSameName(name.text, made, hint.category, phrases)
    ) {
      return { id: new Later(index, hint.idField), title: made }
    }
  }
  return undefined
}

/** *It*: what an earlier part of the message made or was about, else the one thing that the turn before was about. */
function lastSpokenOf(
  hint: ReferenceHint,
  { phrases }: OfferedTool,
  { before, lastTurn, toolNamed }: Surroundings,
): Found | undefined {
  for (const [index, { tool, input, summary }] of [...before.entries()].reverse()) {
    if (tool.category !== hint.category) continue
    const id = tool.target ? input[tool.target.name] : undefined
    if (id !== undefined) return { id, title: /"(.*)"/.exec(summary)?.[1] ?? 'it' }
    const subject = phrases.subjects?.[tool.plainName]?.field
    if (tool.kind === 'create')
      return {
        id: new Later(index, hint.idField),
        title: subject === undefined ? 'it' : String(input[subject] ?? 'it'),
      }
    return undefined
  }
  const results = lastTurn.flatMap(({ toolName, result }) => {
    const tool = toolNamed(toolName)
    return tool?.category === hint.category && tool.kind !== 'delete' && 'data' in result ? [result.data] : []
  })
  const single = results
    .map((data) => thingIn(data, hint.idField, phrases.nouns[hint.category] ?? []))
    .filter((row) => row !== undefined)
  const things: Row[] = single.length > 0 ? single : results.flatMap((data) => rowsOf(data)?.rows ?? [])
  const [thing] = things
  const isOne = new Set(things.map((row) => row[hint.idField])).size === 1
  return thing && isOne && typeof thing[hint.idField] === 'string'
    ? { id: thing[hint.idField], title: titleOf(thing, hint) }
    : undefined
}

/** `Combat & Loot System` → `combat-loot-system`. */
function slugOf(name: string): string {
  return name
    .replaceAll('ß', 'ss')
    .replaceAll(/[äÄ]/g, 'ae')
    .replaceAll(/[öÖ]/g, 'oe')
    .replaceAll(/[üÜ]/g, 'ue')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/['’]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, '')
}
