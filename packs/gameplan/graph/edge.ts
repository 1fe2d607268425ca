export type EdgeType = 'requires' | 'enhances' | 'optional'

/** `source` needs `target`. Every function on the graph reads edges in this one direction. */
export interface Edge {
  source: string
  target: string
  type: EdgeType
}

export interface GraphNode {
  id: string
  slug: string
  mvpCriticality: 'core' | 'important' | 'later'
}

/** Targets by source, in the order of the edges. */
export function needsOf(edges: readonly Edge[]): Map<string, Edge[]> {
  return Map.groupBy(edges, (edge) => edge.source)
}

/** Edges by target: who needs it. */
export function neededBy(edges: readonly Edge[]): Map<string, Edge[]> {
  return Map.groupBy(edges, (edge) => edge.target)
}

export function isHard(edge: Edge): boolean {
  return edge.type === 'requires'
}

const criticalityRank = { core: 0, important: 1, later: 2 } as const

/** What comes first among systems that could be built at the same time: the more critical, then by slug. */
export function byCriticality(a: GraphNode, b: GraphNode): number {
  return (
    criticalityRank[a.mvpCriticality] - criticalityRank[b.mvpCriticality] ||
    (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0)
  )
}
