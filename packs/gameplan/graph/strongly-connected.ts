import { pathBetween } from './cycle-check.ts'
import { type Edge, isHard, needsOf } from './edge.ts'

/**
 * The groups of systems that need each other in a circle (Tarjan, without recursion so that long chains fit):
 * components of more than one system, or one that needs itself.
 */
export function cyclicComponents(nodeIds: readonly string[], edges: readonly Edge[]): string[][] {
  const needs = needsOf(edges)
  const selfNeeding = new Set(edges.filter((edge) => edge.source === edge.target).map((edge) => edge.source))
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const components: string[][] = []
  const lowOf = (id: string) => low.get(id) ?? Number.POSITIVE_INFINITY

  function open(id: string, frames: { id: string; next: number }[]): void {
    order.set(id, order.size)
    low.set(id, order.size - 1)
    stack.push(id)
    onStack.add(id)
    frames.push({ id, next: 0 })
  }

  function close(id: string): void {
    if (lowOf(id) !== order.get(id)) return
    const component = stack.splice(stack.lastIndexOf(id))
    for (const member of component) onStack.delete(member)
    if (component.length > 1 || selfNeeding.has(id)) components.push(component)
  }

  for (const root of nodeIds) {
    if (order.has(root)) continue
    const frames: { id: string; next: number }[] = []
    open(root, frames)
    for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
      const target = needs.get(frame.id)?.[frame.next]?.target
      frame.next += 1
      if (target === undefined) {
        close(frame.id)
        frames.pop()
        const parent = frames.at(-1)
        if (parent) low.set(parent.id, Math.min(lowOf(parent.id), lowOf(frame.id)))
      } else if (!order.has(target)) {
        open(target, frames)
      } else if (onStack.has(target)) {
        low.set(frame.id, Math.min(lowOf(frame.id), order.get(target) ?? 0))
      }
    }
  }
  return components
}

export interface Cycle {
  /** One way round, the first system again at the end. */
  path: string[]
  /** Of `requires` only. */
  hard: boolean
}

/** One example per circle of the graph; hard ones are named as such. */
export function findCycles(nodeIds: readonly string[], edges: readonly Edge[]): Cycle[] {
  return cyclicComponents(nodeIds, edges).map((component) => {
    const inside = new Set(component)
    const own = edges.filter((edge) => inside.has(edge.source) && inside.has(edge.target))
    const hardPath = wayRound(own.filter(isHard))
    return hardPath ? { path: hardPath, hard: true } : { path: wayRound(own) ?? component, hard: false }
  })
}

function wayRound(edges: readonly Edge[]): string[] | undefined {
  for (const edge of edges) {
    const back = pathBetween(edge.target, edge.source, edges)
    if (back) return [edge.source, ...back]
  }
  return undefined
}
