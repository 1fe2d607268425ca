import { walkBack } from './cycle-check.ts'
import { type Edge, type EdgeType, neededBy } from './edge.ts'

/** One system that a change or removal would touch. */
export interface Impact {
  systemId: string
  /** Steps away from the changed system. */
  depth: number
  /** A shortest way, from this system down to the changed one. */
  path: string[]
  /**
   * How firmly it hangs on the changed system: `requires` when some chain to it is of `requires` only; a chain is as
   * strong as its weakest edge.
   */
  strongest: EdgeType
  reach: 'direct' | 'transitive'
}

const typesByStrength: readonly EdgeType[] = ['requires', 'enhances', 'optional']

/**
 * Everything that needs a system, directly or through others (reverse breadth-first), nearest first.
 *
 * @example
 * // A → B, A → C, B → D, C → D
 * impactOf('D', edges).map(({ systemId, depth }) => [systemId, depth]) // [['B', 1], ['C', 1], ['A', 2]]
 */
export function impactOf(systemId: string, edges: readonly Edge[]): Impact[] {
  const strongest = new Map<string, EdgeType>()
  for (const [index, type] of typesByStrength.entries()) {
    const allowed = typesByStrength.slice(0, index + 1)
    const reached = search(
      systemId,
      edges.filter((edge) => allowed.includes(edge.type)),
    )
    for (const id of reached.keys()) if (!strongest.has(id)) strongest.set(id, type)
  }
  const cameFrom = search(systemId, edges)
  return [...cameFrom.keys()].slice(1).map((id) => {
    const path = walkBack(id, cameFrom).reverse()
    const depth = path.length - 1
    return {
      systemId: id,
      depth,
      path,
      strongest: strongest.get(id) ?? 'optional',
      reach: depth === 1 ? 'direct' : 'transitive',
    }
  })
}

/** Breadth-first against the edges: each system reached, with the one it was reached from. */
function search(start: string, edges: readonly Edge[]): Map<string, string | undefined> {
  const dependents = neededBy(edges)
  const cameFrom = new Map<string, string | undefined>([[start, undefined]])
  const queue = [start]
  for (const id of queue) {
    for (const edge of dependents.get(id) ?? []) {
      if (cameFrom.has(edge.source)) continue
      cameFrom.set(edge.source, id)
      queue.push(edge.source)
    }
  }
  return cameFrom
}
