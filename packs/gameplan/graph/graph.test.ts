import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkCycle } from './cycle-check.ts'
import type { Edge, EdgeType, GraphNode } from './edge.ts'
import { impactOf } from './impact.ts'
import { criticalPath, implementationOrder, orphansOf } from './implementation-order.ts'
import { checkScope } from './scope-closure.ts'
import { cyclicComponents, findCycles } from './strongly-connected.ts'

const node = (id: string, mvpCriticality: GraphNode['mvpCriticality'] = 'important'): GraphNode => ({
  id,
  slug: id.toLowerCase(),
  mvpCriticality,
})
const edge = (source: string, target: string, type: EdgeType = 'requires'): Edge => ({ source, target, type })
const diamond = [edge('A', 'B'), edge('A', 'C'), edge('B', 'D'), edge('C', 'D')]
const abcd = ['A', 'B', 'C', 'D'].map((id) => node(id))

describe('the order of implementation', () => {
  it('puts what is needed before what needs it', () => {
    const { order } = implementationOrder([node('Loot'), node('Combat')], [edge('Loot', 'Combat')])
    expect(order).toEqual(['Combat', 'Loot'])
  })

  it('groups a diamond into layers', () => {
    expect(implementationOrder(abcd, diamond).layers).toEqual([['D'], ['B', 'C'], ['A']])
  })

  it('breaks ties by criticality, then by slug', () => {
    const nodes = [node('b'), node('a'), node('z', 'core'), node('c', 'later')]
    expect(implementationOrder(nodes, []).order).toEqual(['z', 'a', 'b', 'c'])
  })

  it('leaves out what is in a circle of requirements or hangs on one', () => {
    const { order, leftOver } = implementationOrder(abcd, [edge('A', 'B'), edge('B', 'A'), edge('C', 'A')])
    expect(order).toEqual(['D'])
    expect(leftOver).toEqual(['A', 'B', 'C'])
  })

  it('is not bound by enhancing and optional edges', () => {
    const { order } = implementationOrder(
      [node('A'), node('B')],
      [edge('A', 'B', 'enhances'), edge('A', 'B', 'optional')],
    )
    expect(order).toEqual(['A', 'B'])
  })
})

describe('the critical path', () => {
  it('is the longest chain, from what is built first', () => {
    expect(criticalPath(abcd, diamond)).toEqual(['D', 'B', 'A'])
    expect(criticalPath([], [])).toEqual([])
  })
})

describe('orphans', () => {
  it('are the systems without any edge', () => {
    expect(orphansOf([...abcd, node('E')], diamond)).toEqual(['E'])
  })
})

describe('the check before an edge is added', () => {
  const chain = [edge('A', 'B'), edge('B', 'C')]

  it('finds the circle of requirements with its path', () => {
    expect(checkCycle(edge('C', 'A'), chain)).toEqual({ kind: 'hard', path: ['A', 'B', 'C', 'A'] })
  })

  it('only warns about a circle with an enhancing edge', () => {
    expect(checkCycle(edge('C', 'A', 'enhances'), chain)).toEqual({ kind: 'soft', path: ['A', 'B', 'C', 'A'] })
    expect(checkCycle(edge('C', 'A'), [edge('A', 'B'), edge('B', 'C', 'enhances')])).toMatchObject({ kind: 'soft' })
  })

  it('finds nothing where there is no way back', () => {
    expect(checkCycle(edge('A', 'C'), chain)).toEqual({ kind: 'none' })
  })
})

describe('circles of a whole graph', () => {
  it('are told apart by whether requirements alone close them', () => {
    const edges = [edge('A', 'B'), edge('B', 'A'), edge('C', 'D'), edge('D', 'C', 'enhances')]
    expect(findCycles(['A', 'B', 'C', 'D'], edges)).toEqual([
      { path: ['A', 'B', 'A'], hard: true },
      { path: ['C', 'D', 'C'], hard: false },
    ])
  })

  it('include a system that needs itself', () => {
    expect(cyclicComponents(['A'], [edge('A', 'A')])).toEqual([['A']])
  })

  it('are found in a chain of 20,000 systems', () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => `s${index}`)
    const edges = ids.map((id, index) => edge(id, `s${(index + 1) % ids.length}`))
    expect(cyclicComponents(ids, edges)[0]).toHaveLength(20_000)
  })
})

describe('the impact of a change', () => {
  it('lists each dependent once, nearest first', () => {
    expect(impactOf('D', diamond)).toEqual([
      { systemId: 'B', depth: 1, path: ['B', 'D'], strongest: 'requires', reach: 'direct' },
      { systemId: 'C', depth: 1, path: ['C', 'D'], strongest: 'requires', reach: 'direct' },
      { systemId: 'A', depth: 2, path: ['A', 'B', 'D'], strongest: 'requires', reach: 'transitive' },
    ])
  })

  it('is as strong as the strongest chain, and a chain as its weakest edge', () => {
    const edges = [edge('A', 'D', 'optional'), edge('A', 'B'), edge('B', 'D', 'enhances')]
    expect(impactOf('D', edges)).toMatchObject([
      { systemId: 'A', depth: 1, strongest: 'enhances' },
      { systemId: 'B', depth: 1, strongest: 'enhances' },
    ])
  })

  it('does not include the changed system when it is in a circle', () => {
    expect(impactOf('A', [edge('A', 'B'), edge('B', 'A')]).map((hit) => hit.systemId)).toEqual(['B'])
  })
})

describe('the check of a scope', () => {
  it('names what is missing with the way that needs it', () => {
    const { missing } = checkScope(['A'], diamond)
    expect(missing).toEqual([
      { systemId: 'B', path: ['A', 'B'] },
      { systemId: 'C', path: ['A', 'C'] },
      { systemId: 'D', path: ['A', 'B', 'D'] },
    ])
    expect(checkScope(['A', 'B', 'C', 'D'], diamond).missing).toEqual([])
  })

  it('asks for requirements only, and suggests what would enhance', () => {
    const edges = [edge('A', 'B', 'enhances'), edge('A', 'C', 'optional')]
    expect(checkScope(['A'], edges)).toEqual({ missing: [], suggestions: [{ systemId: 'B', suggestedBy: 'A' }] })
  })
})

describe('for any graph', () => {
  const ids = ['A', 'B', 'C', 'D', 'E', 'F']
  const nodes = ids.map((id, index) => node(id, (['core', 'important', 'later'] as const)[index % 3]))
  const anyEdges = fc.array(
    fc.record({
      source: fc.constantFrom(...ids),
      target: fc.constantFrom(...ids),
      type: fc.constantFrom<EdgeType>('requires', 'enhances', 'optional'),
    }),
    { maxLength: 14 },
  )

  it('an edge that the check lets pass as hard-free never closes a circle of requirements', () => {
    fc.assert(
      fc.property(anyEdges, (candidates) => {
        const stored: Edge[] = []
        for (const candidate of candidates) {
          if (candidate.source === candidate.target) continue
          if (checkCycle(candidate, stored).kind !== 'hard') stored.push(candidate)
        }
        expect(implementationOrder(nodes, stored).leftOver).toEqual([])
        expect(findCycles(ids, stored).every((cycle) => !cycle.hard)).toBe(true)
      }),
    )
  })

  it('every system is either ordered after all it requires, or left over', () => {
    fc.assert(
      fc.property(anyEdges, (edges) => {
        const { order, layers, leftOver } = implementationOrder(nodes, edges)
        expect([...order, ...leftOver].sort()).toEqual(ids)
        expect(layers.flat().sort()).toEqual([...order].sort())
        const layerOf = new Map(layers.flatMap((layer, index) => layer.map((id) => [id, index] as const)))
        for (const { source, target, type } of edges) {
          if (type !== 'requires' || !order.includes(source)) continue
          expect(order.indexOf(target)).toBeLessThan(order.indexOf(source))
          expect(layerOf.get(target) ?? -1).toBeLessThan(layerOf.get(source) ?? -1)
        }
      }),
    )
  })

  it('a choice together with what it misses misses nothing', () => {
    fc.assert(
      fc.property(anyEdges, fc.subarray(ids, { minLength: 1 }), (edges, chosen) => {
        const { missing } = checkScope(chosen, edges)
        expect(missing.some((one) => chosen.includes(one.systemId))).toBe(false)
        expect(checkScope([...chosen, ...missing.map((one) => one.systemId)], edges).missing).toEqual([])
        for (const { systemId, path } of missing) {
          expect(chosen).toContain(path[0])
          expect(path.at(-1)).toBe(systemId)
        }
      }),
    )
  })

  it('a system is in the impact of another exactly when there is a way between them', () => {
    fc.assert(
      fc.property(anyEdges, fc.constantFrom(...ids), (edges, changed) => {
        const hit = new Set(impactOf(changed, edges).map((impact) => impact.systemId))
        for (const id of ids.filter((other) => other !== changed)) {
          const needsIt = checkCycle({ source: changed, target: id, type: 'optional' }, edges).kind !== 'none'
          expect(hit.has(id)).toBe(needsIt)
        }
      }),
    )
  })
})
