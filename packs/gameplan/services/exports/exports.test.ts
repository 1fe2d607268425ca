import { InvalidInputError, NotFoundError } from 'handrail'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStudio } from '../../testing/open-workspace.ts'

let studio: Awaited<ReturnType<typeof openStudio>>
beforeAll(async () => {
  studio = await openStudio()
})
afterAll(() => studio.close())

async function project() {
  const workspace = studio.workspace()
  const { id: projectId } = await workspace
    .as('alice')
    .act(({ write }) => write.projects.create({ name: 'Crawler', status: 'active' }))
  const alice = workspace.as('alice', { projectId })
  const create = (name: string) =>
    alice.act(({ write }) =>
      write.gameSystems.create({
        name,
        systemSlug: name.toLowerCase(),
        status: 'draft',
        mvpCriticality: 'core',
        purpose: `What ${name} is for.`,
      }),
    )
  const combat = await create('Combat')
  const loot = await create('Loot')
  const link = { sourceSystemId: loot.id, targetSystemId: combat.id, dependencyType: 'requires' as const }
  await alice.act(({ write }) => write.dependencies.add(link))
  return { workspace, alice, combat, loot }
}

const formats = ['markdown', 'html', 'json'] as const
const types = ['gdd', 'system_doc', 'roadmap'] as const

describe('an export', () => {
  it('has the same content each time, in every type and format', async () => {
    const { alice } = await project()
    const generate = (exportType: (typeof types)[number], format: (typeof formats)[number]) =>
      alice.act(({ write }) => write.exports.generate({ exportType, format }))
    for (const exportType of types) {
      for (const format of formats) {
        const first = await generate(exportType, format)
        const second = await generate(exportType, format)
        expect(second.content).toBe(first.content)
        expect(first.content).toContain('Combat')
        expect(first.content).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
      }
    }
  })

  it('is kept and listed without its content, newest first', async () => {
    const { alice } = await project()
    const made = await alice.act(({ write }) => write.exports.generate({ exportType: 'gdd', format: 'markdown' }))
    await alice.act(({ write }) => write.exports.generate({ exportType: 'roadmap', format: 'html' }))
    const list = await alice.act(({ exports }) => exports.list({ page: 1, pageSize: 20 }))
    expect(list.items).toMatchObject([
      { exportType: 'roadmap', format: 'html' },
      { exportType: 'gdd', format: 'markdown', characters: made.content.length },
    ])
    expect(list.items[0]).not.toHaveProperty('content')
    expect(await alice.act(({ exports }) => exports.get(made.id))).toMatchObject({ content: made.content })
    const mallory = studio.workspace().as('mallory')
    await expect(mallory.act(({ exports }) => exports.get(made.id))).rejects.toThrow(NotFoundError)
  })

  it('of a system can be imported into another project', async () => {
    const { workspace, alice, combat } = await project()
    const { content } = await alice.act(({ write }) =>
      write.exports.generate({ exportType: 'system_doc', format: 'markdown', systemId: combat.id }),
    )
    const other = workspace.as('alice')
    const { id: projectId } = await other.act(({ write }) => write.projects.create({ name: 'Copy', status: 'active' }))
    const imported = await other.act(({ write }) =>
      write.gameSystems.importFromMarkdown({ projectId, markdown: content }),
    )
    expect(imported).toMatchObject({ systemSlug: 'combat', mvpCriticality: 'core', purpose: 'What Combat is for.' })
  })

  it('of requirements is about the open plan unless one is named', async () => {
    const { alice, combat } = await project()
    const prd = (planId?: string) =>
      alice.act(({ write }) => write.exports.generate({ exportType: 'version_prd', format: 'markdown', planId }))
    await expect(prd()).rejects.toThrow(InvalidInputError)
    const plan = (versionLabel: string) =>
      alice.act(({ write }) => write.versionPlans.create({ versionLabel, title: 'Plan', systemIds: [combat.id] }))
    const first = await plan('v1')
    await alice.act(({ write }) => write.versionPlans.finalize(first.id))
    expect(await prd()).toMatchObject({ title: 'Crawler v1: Product Requirements', subjectId: first.id })
    await plan('v2')
    expect(await prd()).toMatchObject({ title: 'Crawler v2: Product Requirements' })
    expect(await prd(first.id)).toMatchObject({ title: 'Crawler v1: Product Requirements' })
  })

  it('refuses ids of others, and ids that its type has no use for', async () => {
    const { alice, combat } = await project()
    const { combat: foreign } = await project()
    const generate = (more: object) =>
      alice.act(({ write }) => write.exports.generate({ exportType: 'gdd', format: 'json', ...more }))
    await expect(generate({ systemId: combat.id })).rejects.toThrow(InvalidInputError)
    await expect(generate({ exportType: 'system_doc', systemId: foreign.id })).rejects.toThrow(NotFoundError)
    await expect(generate({ exportType: 'version_prd', planId: 'missing' })).rejects.toThrow(NotFoundError)
  })
})
