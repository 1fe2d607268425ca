import type { PackPhrases } from '../pack/pack.ts'
import { nounsOf } from './offered-tools.ts'
import type { Row } from './rows.ts'

export type ReferenceHint = NonNullable<PackPhrases['references']>[string]

export type Resolved = { kind: 'one'; row: Row } | { kind: 'several'; rows: Row[] } | { kind: 'none'; nearest: Row[] }

/**
 * Finds the thing that a person's name for it means. The same name, id or slug wins, whatever its case and with or
 * without the noun (*combat* and *Combat System*); else the only thing whose name holds all the words.
 *
 * @param strict for writes: the words must also be at least half of the name, and a misspelt name is never taken
 */
export function resolveName(
  said: string,
  rows: readonly Row[],
  hint: ReferenceHint,
  phrases: PackPhrases,
  strict: boolean,
): Resolved {
  const strip = nounStripper(hint.category, phrases)
  const plain = normal(said)
  const bare = strip(plain)
  const named = rows.map((row) => ({ row, names: namesOf(row, hint), ids: idsOf(row, hint) }))
  const same = (test: (entry: (typeof named)[number]) => boolean) => named.filter(test).map(({ row }) => row)

  const tiers = [
    same(({ ids }) => ids.includes(said)),
    same(({ names }) => names.includes(plain)),
    same(
      ({ names }) =>
        bare !== '' && names.some((name) => name === bare || strip(name) === bare || strip(name) === plain),
    ),
  ]
  const exact = tiers.find((rowsOfTier) => rowsOfTier.length > 0)
  if (exact) return decided(exact)

  const words = (bare === '' ? plain : bare).split(' ').filter((word) => word !== 'the' && word !== 'of')
  const holding = named.filter(({ names }) => names.some((name) => holds(name.split(' '), words, strict)))
  if (words.length > 0 && holding.length > 0) return decided(holding.map(({ row }) => row))

  const close = named.filter(({ names }) =>
    names.some((name) => isMisspelt(strip(name), bare) || isMisspelt(name, plain)),
  )
  if (!strict && close.length === 1) return decided(close.map(({ row }) => row))
  const related = named.filter(({ names }) =>
    names.some((name) => words.some((word) => word.length > 2 && name.split(' ').includes(word))),
  )
  return {
    kind: 'none',
    nearest: [...close, ...related.filter((entry) => !close.includes(entry))].slice(0, 3).map(({ row }) => row),
  }
}

/** The name a person would know a thing by. */
export function titleOf(row: Row, hint: Pick<ReferenceHint, 'nameFields'>): string {
  const field = hint.nameFields.find((name) => typeof row[name] === 'string' && row[name] !== '')
  return field === undefined ? 'one without a name' : String(row[field])
}

/** Do two names mean the same thing: *combat* and *Combat System*? */
export function isSameName(one: string, other: string, category: string, phrases: PackPhrases): boolean {
  const strip = nounStripper(category, phrases)
  const [first, second] = [normal(one), normal(other)]
  return first === second || (strip(first) !== '' && strip(first) === strip(second))
}

function decided(rows: Row[]): Resolved {
  const [row] = rows
  return row && rows.length === 1 ? { kind: 'one', row } : { kind: 'several', rows }
}

function namesOf(row: Row, hint: ReferenceHint): string[] {
  return hint.nameFields.flatMap((field) => (typeof row[field] === 'string' ? [normal(row[field])] : []))
}

function idsOf(row: Row, hint: ReferenceHint): string[] {
  const id = row[hint.idField]
  return typeof id === 'string' ? [id] : []
}

/** Lower case, marks to spaces, plain apostrophes: `Loot & Rewards` → `loot rewards`. */
export function normal(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/['’]s\b/g, '')
    .replaceAll(/[^\p{L}\p{N}.]+/gu, ' ')
    .trim()
}

function nounStripper(category: string, phrases: PackPhrases): (name: string) => string {
  const nouns = (nounsOf(phrases).get(category) ?? []).map((words) => words.join(' '))
  return (name) => {
    const noun = nouns.find((candidate) => name.endsWith(` ${candidate}`) || name.startsWith(`${candidate} `))
    if (noun === undefined) return name
    return name.endsWith(` ${noun}`) ? name.slice(0, -noun.length - 1) : name.slice(noun.length + 1)
  }
}

function holds(name: readonly string[], words: readonly string[], strict: boolean): boolean {
  const isHeld = words.every((word) => name.includes(word))
  return isHeld && (!strict || words.length * 2 >= name.filter((word) => word.length > 2).length)
}

/** One letter wrong, missing, extra or swapped, in a name of some length. */
function isMisspelt(name: string, said: string): boolean {
  if (name === said || Math.min(name.length, said.length) < 4 || Math.abs(name.length - said.length) > 1) return false
  let start = 0
  while (start < name.length && name[start] === said[start]) start++
  let end = 0
  while (end < Math.min(name.length, said.length) - start && name.at(-1 - end) === said.at(-1 - end)) end++
  const [left, right] = [name.slice(start, name.length - end), said.slice(start, said.length - end)]
  return Math.max(left.length, right.length) <= 1 || (left.length === 2 && left === [...right].reverse().join(''))
}
