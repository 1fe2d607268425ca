import { type Edge, isHard, needsOf } from './edge.ts'

/** A shortest way from one system to another along the edges, both ends included; undefined when there is none. */
export function pathBetween(from: string, to: string, edges: readonly Edge[]): string[] | undefined {
  const needs = needsOf(edges)
  const cameFrom = new Map<string, string | undefined>([[from, undefined]])
  const queue = [from]
  for (const id of queue) {
    if (id === to) return walkBack(to, cameFrom)
    for (const edge of needs.get(id) ?? []) {
      if (cameFrom.has(edge.target)) continue
      cameFrom.set(edge.target, id)
      queue.push(edge.target)
    }
  }
  return undefined
}

export type CycleCheck =
  | { kind: 'none' }
  /** A cycle of `requires` only: nothing in it could ever be built first. */
  | { kind: 'hard'; path: string[] }
  /** A cycle with an `enhances` or `optional` edge in it: worth a warning. */
  | { kind: 'soft'; path: string[] }

/**
 * What adding an edge would close.
 *
 * @example
 * // A → B → C exists
 * checkCycle({ source: 'C', target: 'A', type: 'requires' }, edges) // { kind: 'hard', path: ['A', 'B', 'C', 'A'] }
 */
export function checkCycle(added: Edge, edges: readonly Edge[]): CycleCheck {
  if (isHard(added)) {
    const hard = pathBetween(added.target, added.source, edges.filter(isHard))
    if (hard) return { kind: 'hard', path: [...hard, added.target] }
  }
  const soft = pathBetween(added.target, added.source, edges)
  return soft ? { kind: 'soft', path: [...soft, added.target] } : { kind: 'none' }
}

/** From the end of a search back to where it started, in reading order. */
export function walkBack(end: string, cameFrom: ReadonlyMap<string, string | undefined>): string[] {
  const path: string[] = []
  for (let id: string | undefined = end; id !== undefined; id = cameFrom.get(id)) path.push(id)
  return path.reverse()
}
