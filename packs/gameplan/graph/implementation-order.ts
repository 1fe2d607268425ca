import { byCriticality, type Edge, type GraphNode, isHard, neededBy, needsOf } from './edge.ts'

export interface ImplementationOrder {
  /** What is needed comes before what needs it; among equals the more critical, then by slug. */
  order: string[]
  /** Systems of one layer can be built in parallel once the layers before are done. */
  layers: string[][]
  /** Systems that no order can hold, because they need each other or something that does. */
  leftOver: string[]
}

/**
 * The order to build systems in (Kahn). Only `requires` binds; edges to systems outside `nodes` are ignored.
 *
 * @example
 * // Loot requires Combat
 * implementationOrder([loot, combat], edges) // { order: ['combat', 'loot'], layers: [['combat'], ['loot']], leftOver: [] }
 */
export function implementationOrder(nodes: readonly GraphNode[], edges: readonly Edge[]): ImplementationOrder {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const binding = edges.filter((edge) => isHard(edge) && byId.has(edge.source) && byId.has(edge.target))
  const dependents = neededBy(binding)
  const open = new Map(nodes.map((node) => [node.id, 0]))
  for (const edge of binding) open.set(edge.source, (open.get(edge.source) ?? 0) + 1)

  const order: string[] = []
  const layerOf = new Map<string, number>()
  const ready = nodes.filter((node) => open.get(node.id) === 0).sort(byCriticality)
  for (let node = ready.shift(); node; node = ready.shift()) {
    order.push(node.id)
    const layer = layerOf.get(node.id) ?? 0
    layerOf.set(node.id, layer)
    for (const edge of dependents.get(node.id) ?? []) {
      layerOf.set(edge.source, Math.max(layerOf.get(edge.source) ?? 0, layer + 1))
      const left = (open.get(edge.source) ?? 0) - 1
      open.set(edge.source, left)
      const source = byId.get(edge.source)
      if (left === 0 && source) insertSorted(ready, source)
    }
  }

  const done = new Set(order)
  const layers: string[][] = []
  for (const node of [...nodes].sort(byCriticality)) {
    if (!done.has(node.id)) continue
    const layer = layerOf.get(node.id) ?? 0
    while (layers.length <= layer) layers.push([])
    layers[layer]?.push(node.id)
  }
  const leftOver = nodes
    .filter((node) => !done.has(node.id))
    .sort(byCriticality)
    .map((node) => node.id)
  return { order, layers, leftOver }
}

/** The longest chain of `requires`, from what is built first to what needs it all. Of equal chains the first in order. */
export function criticalPath(nodes: readonly GraphNode[], edges: readonly Edge[]): string[] {
  const { order } = implementationOrder(nodes, edges)
  const needs = needsOf(edges.filter(isHard))
  const length = new Map<string, number>()
  const before = new Map<string, string>()
  let end: string | undefined
  for (const id of order) {
    let longest = 0
    for (const edge of needs.get(id) ?? []) {
      const reached = length.get(edge.target) ?? 0
      if (reached <= longest) continue
      longest = reached
      before.set(id, edge.target)
    }
    length.set(id, longest + 1)
    if (end === undefined || longest + 1 > (length.get(end) ?? 0)) end = id
  }
  const path: string[] = []
  for (let id = end; id !== undefined; id = before.get(id)) path.push(id)
  return path.reverse()
}

/** Systems without any edge. */
export function orphansOf(nodes: readonly GraphNode[], edges: readonly Edge[]): string[] {
  const linked = new Set(edges.flatMap((edge) => [edge.source, edge.target]))
  return nodes
    .filter((node) => !linked.has(node.id))
    .sort(byCriticality)
    .map((node) => node.id)
}

function insertSorted(ready: GraphNode[], node: GraphNode): void {
  const at = ready.findIndex((other) => byCriticality(node, other) < 0)
  ready.splice(at === -1 ? ready.length : at, 0, node)
}
