import type { Sentences } from '../language/sentences.ts'
import { nearestNames } from '../registry/nearest-names.ts'
import type { Tool } from '../tool/tool.ts'
import type { GovernedPack } from './gate-context.ts'
import { type Stopped, stop } from './stopped.ts'

export interface Resolved {
  governed: GovernedPack
  tool: Tool
}

/** Finds the tool by name, or by (pack, name) where several packs have it. Unknown means refuse, with the nearest names. */
export function resolve(
  packs: ReadonlyMap<string, GovernedPack>,
  name: string,
  packName: string | undefined,
  say: Sentences,
): Resolved | Stopped {
  const candidates =
    packName === undefined ? [...packs.values()] : [packs.get(packName)].filter((found) => found !== undefined)
  const found = candidates.filter(({ tools }) => tools.has(name))
  const [first] = found
  const tool = first?.tools.get(name)
  if (first && tool && found.length === 1) return { governed: first, tool }
  if (found.length > 1) {
    const packNames = found.map(({ pack }) => pack.name)
    return stop('failed', 'UNKNOWN_TOOL', say.ambiguousTool({ name, packs: packNames }), {
      details: { packs: packNames },
    })
  }
  const nearest = nearestNames(
    name,
    candidates.flatMap(({ tools }) => [...tools.keys()]),
  )
  return stop('failed', 'UNKNOWN_TOOL', say.unknownTool({ name: name.slice(0, 64) }), {
    next: say.nearestTools({ names: nearest }),
    details: { nearest },
  })
}
