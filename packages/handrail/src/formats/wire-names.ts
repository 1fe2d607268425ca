import { hash } from 'node:crypto'

const longestName = 64
const digestLength = 8

export interface PackedName {
  readonly pack: string
  readonly name: string
}

/** Names of one flat list, and the way back. */
export interface WireNames {
  /** @throws when the tool is not in the list */
  nameOf(tool: PackedName): string
  /** The tool that a wire name stands for; undefined for any other text. */
  toolOf(wireName: string): PackedName | undefined
}

/**
 * Names tools of several packs for a door that has one flat list of them: a tool keeps its name where no other pack has
 * it (in any case of letters), and is `pack__name` where one does. Every name is one that all providers take: letters,
 * digits, `_` and `-`, at most 64. What is too long, or is the same after that, ends in a digest instead. The names do
 * not depend on the order of the list.
 *
 * @example
 * const names = wireNames([{ pack: 'cms', name: 'list_threads' }, { pack: 'courier', name: 'list_threads' }])
 * names.nameOf({ pack: 'cms', name: 'list_threads' })   // 'cms__list_threads'
 * names.toolOf('cms__list_threads')                     // { pack: 'cms', name: 'list_threads' }
 */
export function wireNames(tools: readonly PackedName[]): WireNames {
  const byKey = new Map(tools.map(({ pack, name }) => [keyOf({ pack, name }), { pack, name }]))
  const sorted = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))
  const holders = new Map<string, number>()
  for (const [, { name }] of sorted) holders.set(fold(name), (holders.get(fold(name)) ?? 0) + 1)

  const wireNameOfKey = new Map<string, string>()
  const toolOfWireName = new Map<string, PackedName>()
  const taken = new Set<string>()
  const give = (key: string, tool: PackedName, wireName: string) => {
    taken.add(fold(wireName))
    wireNameOfKey.set(key, wireName)
    toolOfWireName.set(wireName, tool)
  }
  const isUnique = ({ name }: PackedName) => holders.get(fold(name)) === 1
  // Own names first, so that no made-up name takes one away.
  for (const [key, tool] of sorted) if (isUnique(tool)) give(key, tool, fitting(tool.name, key, taken))
  for (const [key, tool] of sorted)
    if (!isUnique(tool)) give(key, tool, fitting(`${tool.pack}__${tool.name}`, key, taken))

  return {
    nameOf(tool) {
      const wireName = wireNameOfKey.get(keyOf(tool))
      if (wireName === undefined) throw new Error(`\`${tool.pack}\`, \`${tool.name}\` is not in this list of tools`)
      return wireName
    },
    toolOf: (wireName) => toolOfWireName.get(wireName),
  }
}

function fitting(wanted: string, key: string, taken: ReadonlySet<string>): string {
  const clean = wanted.replaceAll(/[^a-zA-Z0-9_-]/g, '_')
  if (clean === wanted && clean !== '' && clean.length <= longestName && !taken.has(fold(clean))) return clean
  return `${clean.slice(0, longestName - digestLength - 1)}_${hash('sha256', key).slice(0, digestLength)}`
}

function keyOf({ pack, name }: PackedName): string {
  return JSON.stringify([pack, name])
}

function fold(name: string): string {
  return name.toLowerCase()
}
