import { randomUUID } from 'node:crypto'
import { openTestDatabase } from '@handrail/postgres/testing'
import { ConflictError, NotFoundError, type Principal, ToolError } from 'handrail'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gameplan } from '../pack.ts'
import { gameplanReaders, gameplanWriters, type Readers, type Writers } from './services.ts'

/** On a real server, where transactions really run at the same time. */
let database: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  if (!gameplan.storage) throw new Error('GamePlan has no storage')
  database = await openTestDatabase({ engine: 'postgres', packs: [gameplan.storage] })
})
afterAll(() => database.close())

async function project() {
  const tenantId = `test-${randomUUID()}`
  const principal: Principal = {
    tenantId,
    userId: 'alice',
    roles: ['owner'],
    actor: 'person',
    via: { door: 'test', credentialId: 'test' },
  }
  const act = <T>(work: (services: Readers & { write: Writers }) => Promise<T>): Promise<T> =>
    database.transaction(tenantId, (db) => {
      const context = { db, principal, scope: {} }
      return work({ ...gameplanReaders(context), write: gameplanWriters(context) })
    })
  const { id: projectId } = await act(({ write }) => write.projects.create({ name: 'Game', status: 'active' }))
  const create = (systemSlug: string) =>
    act(({ write }) =>
      write.gameSystems.create({ projectId, name: systemSlug, systemSlug, status: 'draft', mvpCriticality: 'core' }),
    )
  return { act, projectId, create }
}

/** How each of several calls at once ended: what it gave, or the tool error it was refused with. */
async function allAtOnce(calls: readonly Promise<unknown>[]): Promise<{ done: unknown[]; refused: ToolError[] }> {
  const ends = await Promise.allSettled(calls)
  const refused = ends.flatMap((end) => {
    if (end.status === 'fulfilled') return []
    expect(end.reason).toBeInstanceOf(ToolError)
    return end.reason instanceof ToolError ? [end.reason] : []
  })
  return { done: ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : [])), refused }
}

describe('at the same time', () => {
  it('two dependencies cannot close a circle', async () => {
    for (let round = 0; round < 10; round++) {
      const { act, projectId, create } = await project()
      const ids = [await create('a'), await create('b'), await create('c')].map((system) => system.id)
      const link = (source: number, target: number) =>
        act(({ write }) =>
          write.dependencies.add({
            sourceSystemId: ids[source] ?? '',
            targetSystemId: ids[target] ?? '',
            dependencyType: 'requires',
          }),
        )
      const { done, refused } = await allAtOnce([link(0, 1), link(1, 2), link(2, 0)])
      expect(done).toHaveLength(2)
      expect(refused).toEqual([expect.any(ConflictError)])
      expect(await act(({ dependencies }) => dependencies.graph(projectId))).toMatchObject({ hasCycles: false })
    }
  })

  it('a slug is given once, and the others are told so', async () => {
    const { create } = await project()
    const { done, refused } = await allAtOnce(Array.from({ length: 8 }, () => create('combat')))
    expect(done).toHaveLength(1)
    expect(refused).toHaveLength(7)
    for (const error of refused) expect(error).toBeInstanceOf(ConflictError)
  })

  it('a system is deleted and linked, planned or changed in some order', async () => {
    for (let round = 0; round < 10; round++) {
      const { act, projectId, create } = await project()
      const [a, b] = [await create('a'), await create('b')]
      const { refused } = await allAtOnce([
        act(({ write }) => write.gameSystems.delete(b.id)),
        act(({ write }) =>
          write.dependencies.add({ sourceSystemId: a.id, targetSystemId: b.id, dependencyType: 'requires' }),
        ),
        act(({ write }) => write.gameSystems.update({ systemId: b.id, purpose: 'Changed' })),
        act(({ write }) =>
          write.versionPlans.create({ projectId, versionLabel: 'v1', title: 'One', systemIds: [b.id] }),
        ),
      ])
      for (const error of refused) expect(error).toBeInstanceOf(NotFoundError)
      expect((await act(({ dependencies }) => dependencies.graph(projectId))).edges).toEqual([])
    }
  })

  it('a project is deleted while people work in it', async () => {
    for (let round = 0; round < 10; round++) {
      const { act, projectId, create } = await project()
      const a = await create('a')
      const { thread } = await act(({ write }) => write.ideas.createThread({ projectId, content: 'Idea' }))
      const { refused } = await allAtOnce([
        create('b'),
        act(({ write }) => write.ideas.post({ threadId: thread.id, content: 'More' })),
        act(({ write }) => write.projects.delete(projectId)),
        act(({ write }) => write.gameSystems.update({ systemId: a.id, purpose: 'Changed' })),
        act(({ write }) => write.brainstorms.create({ projectId, title: 'T', content: 'C', source: 'manual' })),
        act(({ write }) => write.ideas.markRead(thread.id)),
        act(({ write }) => write.exports.generate({ projectId, exportType: 'gdd', format: 'json' })),
        act(({ write }) =>
          write.gameSystems.importFromMarkdown({
            projectId,
            markdown: '# C\n## System ID\nc\n## Dependencies\n- requires a',
          }),
        ),
      ])
      for (const error of refused) expect(error).toBeInstanceOf(NotFoundError)
      await expect(act(({ projects }) => projects.get(projectId))).rejects.toThrow(NotFoundError)
    }
  })

  it('a plan is finalized once', async () => {
    const { act, projectId, create } = await project()
    const a = await create('a')
    const plan = { projectId, versionLabel: 'v1', title: 'One', systemIds: [a.id] }
    const { id } = await act(({ write }) => write.versionPlans.create(plan))
    const { done, refused } = await allAtOnce(
      Array.from({ length: 5 }, () => act(({ write }) => write.versionPlans.finalize(id))),
    )
    expect(done).toHaveLength(1)
    for (const error of refused) expect(error).toBeInstanceOf(ConflictError)
  })
})
