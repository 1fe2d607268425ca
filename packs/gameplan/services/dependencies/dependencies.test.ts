import { ConflictError, InvalidInputError, NotFoundError } from 'handrail'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStudio, type Workspace } from '../../testing/open-workspace.ts'

let studio: Awaited<ReturnType<typeof openStudio>>
beforeAll(async () => {
  studio = await openStudio()
})
afterAll(() => studio.close())

/** A project with systems A, B, C and so on, by name. */
async function projectWith(workspace: Workspace, names: readonly string[]) {
  const alice = workspace.as('alice')
  const project = await alice.act(({ write }) => write.projects.create({ name: 'Game', status: 'active' }))
  const ids: Record<string, string> = {}
  for (const name of names) {
    const system = await alice.act(({ write }) =>
      write.gameSystems.create({
        projectId: project.id,
        name,
        systemSlug: name.toLowerCase(),
        status: 'draft',
        mvpCriticality: 'important',
      }),
    )
    ids[name] = system.id
  }
  const idOf = (name: string) => ids[name] ?? name
  const person = workspace.as('alice', { projectId: project.id })
  const link = (source: string, target: string, dependencyType: 'requires' | 'enhances' | 'optional' = 'requires') =>
    person.act(({ write }) =>
      write.dependencies.add({ sourceSystemId: idOf(source), targetSystemId: idOf(target), dependencyType }),
    )
  return { project, person, idOf, link }
}

describe('adding a dependency', () => {
  it('puts what is needed first in the order', async () => {
    const { person, link } = await projectWith(studio.workspace(), ['Loot', 'Combat'])
    await link('Loot', 'Combat')
    const graph = await person.act(({ dependencies }) => dependencies.graph())
    expect(graph.implementationOrder.map((system) => system.name)).toEqual(['Combat', 'Loot'])
    expect(graph.layers).toEqual([['combat'], ['loot']])
    expect(graph.hasCycles).toBe(false)
  })

  it('is refused with the path when it closes a circle of requirements, and nothing is stored', async () => {
    const { person, link } = await projectWith(studio.workspace(), ['A', 'B', 'C'])
    await link('A', 'B')
    await link('B', 'C')
    const refused = await link('C', 'A').catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ConflictError)
    expect(refused).toHaveProperty('message', expect.stringContaining('A → B → C → A'))
    const graph = await person.act(({ dependencies }) => dependencies.graph())
    expect(graph.edges).toHaveLength(2)
  })

  it('only warns when the circle holds an enhancing edge', async () => {
    const { link } = await projectWith(studio.workspace(), ['A', 'B'])
    await link('A', 'B')
    const added = await link('B', 'A', 'enhances')
    expect(added.warning).toContain('B → A')
    expect((await link('A', 'A').catch((error: unknown) => error)) instanceof InvalidInputError).toBe(true)
  })

  it('is refused for a system itself, a pair twice, and systems of other projects or workspaces', async () => {
    const workspace = studio.workspace()
    const { idOf, link } = await projectWith(workspace, ['A', 'B'])
    const foreign = await projectWith(studio.workspace(), ['X'])
    const sibling = await projectWith(workspace, ['Y'])
    await link('A', 'B')
    await expect(link('A', 'A')).rejects.toThrow(InvalidInputError)
    await expect(link('A', 'B', 'optional')).rejects.toThrow(ConflictError)
    await expect(link('A', foreign.idOf('X'))).rejects.toThrow(NotFoundError)
    await expect(link('A', sibling.idOf('Y'))).rejects.toThrow(NotFoundError)
    const unscoped = workspace.as('alice').act(({ write }) =>
      write.dependencies.add({
        sourceSystemId: idOf('A'),
        targetSystemId: sibling.idOf('Y'),
        dependencyType: 'requires',
      }),
    )
    await expect(unscoped).rejects.toThrow(/different projects/)
  })
})

describe('removing a dependency', () => {
  it('takes the edge out, and says where to look when there is none', async () => {
    const { person, idOf, link } = await projectWith(studio.workspace(), ['A', 'B'])
    await link('A', 'B')
    const remove = () =>
      person.act(({ write }) => write.dependencies.remove({ sourceSystemId: idOf('A'), targetSystemId: idOf('B') }))
    expect(await remove()).toMatchObject({ source: { name: 'A' }, target: { name: 'B' } })
    await expect(remove()).rejects.toThrow(NotFoundError)
  })
})

describe('impact analysis', () => {
  it('names what hangs on a system, how far away and by which way', async () => {
    const { person, idOf, link } = await projectWith(studio.workspace(), ['A', 'B', 'C', 'D'])
    await link('A', 'B')
    await link('A', 'C')
    await link('B', 'D')
    await link('C', 'D', 'optional')
    const impact = await person.act(({ dependencies }) => dependencies.impact(idOf('D')))
    expect(impact.affected).toMatchObject([
      { name: 'B', depth: 1, reach: 'direct', strongest: 'requires', path: 'B → D' },
      { name: 'C', depth: 1, reach: 'direct', strongest: 'optional' },
      { name: 'A', depth: 2, reach: 'transitive', strongest: 'requires', path: 'A → B → D' },
    ])
    expect(impact).toMatchObject({ direct: 2, transitive: 1 })
  })
})
