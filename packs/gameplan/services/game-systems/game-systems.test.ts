import { ConflictError, InvalidInputError, NotFoundError } from 'handrail'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStudio } from '../../testing/open-workspace.ts'
import type { NewSystem } from './writer.ts'

let studio: Awaited<ReturnType<typeof openStudio>>
beforeAll(async () => {
  studio = await openStudio()
})
afterAll(() => studio.close())

async function project() {
  const workspace = studio.workspace()
  const { id } = await workspace
    .as('alice')
    .act(({ write }) => write.projects.create({ name: 'Game', status: 'active' }))
  const alice = workspace.as('alice', { projectId: id })
  const create = (name: string, more: Partial<NewSystem> = {}) =>
    alice.act(({ write }) =>
      write.gameSystems.create({
        name,
        systemSlug: name.toLowerCase().replaceAll(' ', '-'),
        status: 'draft',
        mvpCriticality: 'important',
        ...more,
      }),
    )
  return { workspace, alice, create, projectId: id }
}

describe('a new game system', () => {
  it('starts at v0.1 with a line in its change log', async () => {
    const { alice, create } = await project()
    const created = await create('Combat System', { mvpCriticality: 'core', purpose: 'Fights' })
    expect(created).toMatchObject({ systemSlug: 'combat-system', version: 'v0.1', purpose: 'Fights', inputs: null })
    const found = await alice.act(({ gameSystems }) => gameSystems.get(created.id))
    expect(found.changeLogs).toMatchObject([{ version: 'v0.1', changeType: 'created', author: 'alice' }])
  })

  it('cannot take a slug twice in a project, and is told a free one', async () => {
    const { create } = await project()
    await create('Combat')
    await create('Combat 2')
    const refused = await create('Combat').catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ConflictError)
    expect(refused).toHaveProperty('next', expect.stringContaining('`combat-3`'))
    const { create: createElsewhere } = await project()
    expect(await createElsewhere('Combat')).toMatchObject({ systemSlug: 'combat' })
  })
})

describe('a change of a game system', () => {
  it('raises the version and is logged with what changed', async () => {
    const { alice, create } = await project()
    const { id } = await create('Combat', { purpose: 'Fights' })
    const change = { systemId: id, purpose: 'Duels', status: 'active' as const, changeSummary: 'Duels only' }
    const changed = await alice.act(({ write }) => write.gameSystems.update(change))
    expect(changed).toMatchObject({ version: 'v0.2', purpose: 'Duels', changedFields: ['purpose', 'status'] })
    const { changeLogs } = await alice.act(({ gameSystems }) => gameSystems.get(id))
    expect(changeLogs[0]).toMatchObject({ version: 'v0.2', summary: 'Duels only', changeType: 'updated' })
  })

  it('that changes nothing is not logged', async () => {
    const { alice, create } = await project()
    const { id } = await create('Combat', { purpose: 'Fights' })
    const same = await alice.act(({ write }) => write.gameSystems.update({ systemId: id, purpose: 'Fights' }))
    expect(same).toMatchObject({ version: 'v0.1', changedFields: [] })
    expect((await alice.act(({ gameSystems }) => gameSystems.get(id))).changeLogs).toHaveLength(1)
    await expect(alice.act(({ write }) => write.gameSystems.update({ systemId: id }))).rejects.toThrow(
      InvalidInputError,
    )
  })
})

describe('the list of game systems', () => {
  it('is filtered by status, criticality and a search that takes no wildcards', async () => {
    const { alice, create } = await project()
    await create('Combat', { mvpCriticality: 'core' })
    await create('Crafting', { status: 'active', purpose: 'Makes 100% sure of things' })
    const find = (filter: object) =>
      alice.act(async ({ gameSystems }) => {
        const { items } = await gameSystems.list({ page: 1, pageSize: 20, ...filter })
        return items.map((item) => item.name)
      })
    expect(await find({})).toEqual(['Combat', 'Crafting'])
    expect(await find({ mvpCriticality: 'core' })).toEqual(['Combat'])
    expect(await find({ status: 'active' })).toEqual(['Crafting'])
    expect(await find({ search: 'COMB' })).toEqual(['Combat'])
    expect(await find({ search: '100%' })).toEqual(['Crafting'])
    expect(await find({ search: '_' })).toEqual([])
  })
})

describe('deleting a game system', () => {
  it('takes its dependencies along, and is announced with what hangs on it', async () => {
    const { alice, create } = await project()
    const combat = await create('Combat')
    const loot = await create('Loot')
    const link = { sourceSystemId: loot.id, targetSystemId: combat.id, dependencyType: 'requires' as const }
    await alice.act(({ write }) => write.dependencies.add(link))
    const plan = { versionLabel: 'v1', title: 'One', systemIds: [combat.id] }
    await alice.act(({ write }) => write.versionPlans.create(plan))
    const { view, basis } = await alice.act(({ gameSystems }) => gameSystems.impactOfDelete(combat.id))
    expect(view).toMatchObject({
      gameSystem: { name: 'Combat' },
      dependenciesRemoved: 1,
      dependents: [{ name: 'Loot', type: 'requires', reach: 'direct' }],
      draftPlansThatLoseIt: [{ versionLabel: 'v1' }],
      warning: expect.stringContaining('Loot would be left without something required'),
    })
    await alice.act(({ write }) => write.gameSystems.update({ systemId: combat.id, purpose: 'Fights' }))
    const after = await alice.act(({ gameSystems }) => gameSystems.impactOfDelete(combat.id))
    expect(after.basis).not.toEqual(basis)

    expect(await alice.act(({ write }) => write.gameSystems.delete(combat.id))).toMatchObject({ name: 'Combat' })
    expect((await alice.act(({ dependencies }) => dependencies.graph())).edges).toEqual([])
    await expect(alice.act(({ write }) => write.gameSystems.delete(combat.id))).rejects.toThrow(NotFoundError)
  })

  it('is not possible from another project or workspace', async () => {
    const { workspace, create } = await project()
    const { id } = await create('Combat')
    const sibling = await workspace
      .as('alice')
      .act(({ write }) => write.projects.create({ name: 'Other', status: 'active' }))
    for (const person of [workspace.as('alice', { projectId: sibling.id }), studio.workspace().as('mallory')]) {
      await expect(person.act(({ write }) => write.gameSystems.delete(id))).rejects.toThrow(NotFoundError)
      await expect(person.act(({ gameSystems }) => gameSystems.get(id))).rejects.toThrow(NotFoundError)
    }
  })
})

describe('importing a game system from markdown', () => {
  const document = [
    '# Combat System',
    '## System ID',
    'combat-system',
    '## Version',
    'v2',
    '## MVP Criticality',
    'Core',
    '## Purpose',
    'Fights.',
    '## Lore',
    'Swords are old.',
    '## Dependencies',
    '- requires stats: needs numbers',
    '- optional: magic',
    '',
  ].join('\n')

  it('reads its fields, links what is there, and says what is not', async () => {
    const { alice, create } = await project()
    await create('Stats')
    const imported = await alice.act(({ write }) => write.gameSystems.importFromMarkdown({ markdown: document }))
    expect(imported).toMatchObject({
      name: 'Combat System',
      systemSlug: 'combat-system',
      version: 'v2',
      mvpCriticality: 'core',
      status: 'draft',
      purpose: 'Fights.',
      implementationNotes: 'Lore:\nSwords are old.',
      dependenciesAdded: [{ type: 'requires', slug: 'stats' }],
      otherHeadings: ['Lore'],
      warnings: [expect.stringContaining('`magic`')],
    })
    const next = { systemId: imported.id, purpose: 'Duels.' }
    expect(await alice.act(({ write }) => write.gameSystems.update(next))).toMatchObject({ version: 'v2.1' })
  })

  it('names every problem at once and stores nothing', async () => {
    const { alice } = await project()
    const bad = '## Status\n\nfinished\n\n## Version\n\n2.0.1\n'
    const refused = await alice
      .act(({ write }) => write.gameSystems.importFromMarkdown({ markdown: bad }))
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(InvalidInputError)
    expect(refused).toHaveProperty('message', expect.stringMatching(/name is missing.*System ID.*version.*status/s))
    expect(await alice.act(({ gameSystems }) => gameSystems.list({ page: 1, pageSize: 1 }))).toMatchObject({ total: 0 })
  })

  it('refuses a slug that is taken', async () => {
    const { alice, create } = await project()
    await create('Combat System')
    const again = alice.act(({ write }) => write.gameSystems.importFromMarkdown({ markdown: document }))
    await expect(again).rejects.toThrow(ConflictError)
  })
})
