import { walkBack } from './cycle-check.ts'
import { type Edge, isHard, needsOf } from './edge.ts'

export interface MissingSystem {
  systemId: string
  /** From a chosen system to the missing one. */
  path: string[]
}

export interface ScopeCheck {
  /** Everything the chosen systems require and the choice lacks, nearest first. */
  missing: MissingSystem[]
  /** What would make chosen systems better, and is not in the choice. */
  suggestions: { systemId: string; suggestedBy: string }[]
}

/**
 * Whether a choice of systems can stand alone: only `requires` closes it, `enhances` suggests.
 *
 * @example
 * // A → B, A → C, B → D, C → D
 * checkScope(['A'], edges).missing.map((missing) => missing.systemId) // ['B', 'C', 'D']
 */
export function checkScope(chosen: readonly string[], edges: readonly Edge[]): ScopeCheck {
  const needs = needsOf(edges.filter(isHard))
  const cameFrom = new Map<string, string | undefined>(chosen.map((id) => [id, undefined]))
  const queue = [...cameFrom.keys()]
  const missing: MissingSystem[] = []
  for (const id of queue) {
    for (const edge of needs.get(id) ?? []) {
      if (cameFrom.has(edge.target)) continue
      cameFrom.set(edge.target, id)
      queue.push(edge.target)
      missing.push({ systemId: edge.target, path: walkBack(edge.target, cameFrom) })
    }
  }
  const suggested = new Map<string, string>()
  for (const edge of edges) {
    if (edge.type !== 'enhances' || !cameFrom.has(edge.source)) continue
    if (!cameFrom.has(edge.target) && !suggested.has(edge.target)) suggested.set(edge.target, edge.source)
  }
  return { missing, suggestions: [...suggested].map(([systemId, suggestedBy]) => ({ systemId, suggestedBy })) }
}
