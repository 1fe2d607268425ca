import { openTestDatabase } from '@handrail/postgres/testing'
import type { Principal, Scope } from 'handrail'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from './demo.ts'
import { gameplan } from './pack.ts'

let database: Awaited<ReturnType<typeof openTestDatabase>>
let demo: { ids: Demo; scope: Scope }

function principalOf(userId: string): Principal {
  const roles = { alice: ['owner'], bob: ['member'], carol: ['reader'] }[userId] ?? []
  return { tenantId: 'acme', userId, roles, actor: 'person', via: { door: 'test', credentialId: 'test' } }
}

beforeAll(async () => {
  if (!gameplan.storage) throw new Error('GamePlan has no storage')
  database = await openTestDatabase({ engine: 'pglite', packs: [gameplan.storage] })
  demo = await database.transaction('acme', async (db) => {
    const filled = await gameplan.demo?.({ db, principal: principalOf('alice'), scope: {} })
    if (!filled) throw new Error('GamePlan has no demo data')
    return { ids: filled.ids as Demo, scope: filled.scope } // the erased pack does not know its demo's type
  })
})
afterAll(() => database.close())

describe('the tools', () => {
  it('all describe themselves in one sentence and every read names its sources', () => {
    for (const tool of gameplan.tools) {
      expect(tool.description, tool.name).toMatch(/^[A-Z][^.]*(\b[vV]\d+\.\d+[^.]*)?\.$/)
      if (tool.kind === 'read') expect(tool.sources, tool.name).toBeDefined()
      if (tool.risk === 'high') expect(tool.preview, tool.name).toBeDefined()
    }
  })
})

describe('the demo data', () => {
  it('is filled in once, and found again with the same ids', async () => {
    const again = await database.transaction('acme', async (db) =>
      gameplan.demo?.({ db, principal: principalOf('alice'), scope: {} }),
    )
    expect(again).toEqual(demo)
    expect(Object.values(demo.ids)).not.toContain('deleted-since')
  })

  it('leaves the names of the first requests free, and has one old prototype', async () => {
    const { systems, hits } = await database.transaction('acme', async (db) => {
      const { gameSystems } = gameplan.services.readers({ db, principal: principalOf('alice'), scope: demo.scope })
      const list = { page: 1, pageSize: 100 }
      return {
        systems: (await gameSystems.list(list)).items,
        hits: [
          ...(await gameSystems.list({ ...list, search: 'combat' })).items,
          ...(await gameSystems.list({ ...list, search: 'loot' })).items,
        ],
      }
    })
    expect(systems.length).toBeGreaterThanOrEqual(8)
    expect(systems.length).toBeLessThanOrEqual(12)
    expect(systems.filter((system) => /prototype/i.test(system.name))).toHaveLength(1)
    expect(hits).toEqual([])
  })
})

describe('the instructions', () => {
  it('name the project, its systems by slug, its counts and its open plan', async () => {
    const text = await database.transaction('acme', async (db) => {
      const context = { db, principal: principalOf('alice'), scope: demo.scope }
      return gameplan.instructions({ ...context, services: gameplan.services.readers(context) })
    })
    expect(text).toContain('This project: "Dungeon Crawler"')
    expect(text).toContain(`- old-prototype: "Old Prototype", deprecated, later, id ${demo.ids.oldPrototype}`)
    expect(text).toContain(
      '12 game systems, 16 dependencies, 2 brainstorms, 2 version plans, 2 idea threads and 1 export',
    )
    expect(text).toContain('- "v0.2": "First Playable"')
  })

  it('say so when the project of the conversation is gone', async () => {
    const text = await database.transaction('acme', async (db) => {
      const context = { db, principal: principalOf('alice'), scope: { projectId: 'gone' } }
      return gameplan.instructions({ ...context, services: gameplan.services.readers(context) })
    })
    expect(text).toContain('The project of this conversation is not there any more')
  })

  it('list the projects where the conversation is about none', async () => {
    const text = await database.transaction('acme', async (db) => {
      const context = { db, principal: principalOf('alice'), scope: {} }
      return gameplan.instructions({ ...context, services: gameplan.services.readers(context) })
    })
    expect(text).toContain(`"Puzzle Garden" (ideation), id ${demo.ids.otherProject}`)
  })
})
