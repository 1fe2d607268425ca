import { ConflictError, InvalidInputError, NotFoundError } from 'handrail'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStudio } from '../../testing/open-workspace.ts'

let studio: Awaited<ReturnType<typeof openStudio>>
beforeAll(async () => {
  studio = await openStudio()
})
afterAll(() => studio.close())

/** The diamond A → B, A → C, B → D, C → D, and E that enhances A's neighbour B. */
async function diamond() {
  const workspace = studio.workspace()
  const { id } = await workspace
    .as('alice')
    .act(({ write }) => write.projects.create({ name: 'Game', status: 'active' }))
  const alice = workspace.as('alice', { projectId: id })
  const ids: Record<string, string> = {}
  for (const name of ['A', 'B', 'C', 'D', 'E']) {
    const system = { name, systemSlug: name.toLowerCase(), status: 'draft', mvpCriticality: 'important' } as const
    ids[name] = (await alice.act(({ write }) => write.gameSystems.create(system))).id
  }
  const idsOf = (names: string) => [...names].map((name) => ids[name] ?? name)
  const link = (pair: string, dependencyType: 'requires' | 'enhances' = 'requires') => {
    const [sourceSystemId = '', targetSystemId = ''] = idsOf(pair)
    return alice.act(({ write }) => write.dependencies.add({ sourceSystemId, targetSystemId, dependencyType }))
  }
  for (const pair of ['AB', 'AC', 'BD', 'CD']) await link(pair)
  await link('BE', 'enhances')
  const plan = (versionLabel: string, names: string) =>
    alice.act(({ write }) =>
      write.versionPlans.create({ versionLabel, title: `Plan ${versionLabel}`, systemIds: idsOf(names) }),
    )
  return { workspace, alice, idsOf, link, plan }
}

describe('the scope of a version', () => {
  it('names what is missing, with the way that needs it', async () => {
    const { alice, idsOf } = await diamond()
    const report = await alice.act(({ versionPlans }) => versionPlans.validateScope({ systemIds: idsOf('A') }))
    expect(report).toMatchObject({
      valid: false,
      missingDependencies: [
        { slug: 'b', path: 'A → B' },
        { slug: 'c', path: 'A → C' },
        { slug: 'd', path: 'A → B → D' },
      ],
      suggestions: [{ slug: 'e', suggestedBy: 'B' }],
    })
    const whole = await alice.act(({ versionPlans }) => versionPlans.validateScope({ systemIds: idsOf('ABCD') }))
    expect(whole).toMatchObject({ valid: true, missingDependencies: [] })
  })

  it('refuses systems of others', async () => {
    const { alice } = await diamond()
    const { idsOf } = await diamond()
    const check = alice.act(({ versionPlans }) => versionPlans.validateScope({ systemIds: idsOf('D') }))
    await expect(check).rejects.toThrow(NotFoundError)
  })
})

describe('a version plan', () => {
  it('is made of a closed scope only, in phases', async () => {
    const { plan } = await diamond()
    await expect(plan('v1', 'A')).rejects.toThrow(/B \(b\), needed by A → B/)
    await expect(plan('v1', 'A')).rejects.toThrow(InvalidInputError)
    const created = await plan('v1', 'ABCD')
    expect(created.phases).toEqual([
      { phase: 1, systems: ['d'] },
      { phase: 2, systems: ['b', 'c'] },
      { phase: 3, systems: ['a'] },
    ])
    expect(created).toMatchObject({ status: 'draft', suggestions: [{ slug: 'e' }] })
  })

  it('has a label of its own in the project', async () => {
    const { plan } = await diamond()
    await plan('v1', 'D')
    await expect(plan('v1', 'E')).rejects.toThrow(ConflictError)
  })

  it('follows its systems while it is a draft, and no longer once it is finalized', async () => {
    const { alice, idsOf, plan } = await diamond()
    const { id } = await plan('v1', 'D')
    const [systemId = ''] = idsOf('D')
    const rename = (name: string) => alice.act(({ write }) => write.gameSystems.update({ systemId, name }))
    const read = () => alice.act(({ versionPlans }) => versionPlans.get(id))
    await rename('Delta')
    expect((await read()).systems).toMatchObject([{ name: 'Delta', version: 'v0.2' }])
    const finalized = await alice.act(({ write }) => write.versionPlans.finalize(id))
    expect(finalized).toMatchObject({ status: 'finalized', finalizedBy: 'alice' })
    await rename('Epsilon')
    expect((await read()).systems).toMatchObject([{ name: 'Delta', version: 'v0.2' }])
    await alice.act(({ write }) => write.gameSystems.delete(systemId))
    expect((await read()).systems).toMatchObject([{ name: 'Delta' }])
  })

  it('cannot be finalized twice, nor deleted when it is finalized, and nobody is asked about it', async () => {
    const { alice, plan } = await diamond()
    const { id } = await plan('v1', 'D')
    await alice.act(({ write }) => write.versionPlans.finalize(id))
    await expect(alice.act(({ write }) => write.versionPlans.finalize(id))).rejects.toThrow(ConflictError)
    await expect(alice.act(({ write }) => write.versionPlans.delete(id))).rejects.toThrow(ConflictError)
    await expect(alice.act(({ versionPlans }) => versionPlans.previewOfFinalize(id))).rejects.toThrow(ConflictError)
    await expect(alice.act(({ versionPlans }) => versionPlans.impactOfDelete(id))).rejects.toThrow(ConflictError)
  })

  it('cannot be finalized when its systems have come to require more', async () => {
    const { alice, link, plan } = await diamond()
    const { id } = await plan('v1', 'D')
    const before = await alice.act(({ versionPlans }) => versionPlans.previewOfFinalize(id))
    await link('DE')
    const after = await alice.act(({ versionPlans }) => versionPlans.previewOfFinalize(id))
    expect(before.view.missingDependencies).toEqual([])
    expect(after.view.missingDependencies).toMatchObject([{ slug: 'e' }])
    await expect(alice.act(({ write }) => write.versionPlans.finalize(id))).rejects.toThrow(/E \(e\)/)
  })

  it('that is a draft can be deleted, by people of its workspace only', async () => {
    const { alice, plan } = await diamond()
    const { id } = await plan('v1', 'D')
    const mallory = studio.workspace().as('mallory')
    await expect(mallory.act(({ write }) => write.versionPlans.delete(id))).rejects.toThrow(NotFoundError)
    await expect(mallory.act(({ write }) => write.versionPlans.finalize(id))).rejects.toThrow(NotFoundError)
    expect(await alice.act(({ write }) => write.versionPlans.delete(id))).toMatchObject({ versionLabel: 'v1' })
    await expect(alice.act(({ versionPlans }) => versionPlans.get(id))).rejects.toThrow(NotFoundError)
  })
})
