import { openPackDatabase } from '@handrail/postgres/testing'
import { isAsking } from 'handrail'
import { type TestPack, testPack } from 'handrail/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from './demo.ts'
import { gameplan } from './pack.ts'

/** What is special of GamePlan when it is called through the gate; what holds for every tool is in the contract. */
let pack: TestPack<Demo>
beforeAll(async () => {
  pack = await testPack<Demo>(gameplan, await openPackDatabase(gameplan))
})
afterAll(() => pack.close())

async function dataOf(call: ReturnType<typeof pack.call>): Promise<Record<string, unknown>> {
  const { result } = await call
  if (!result.success) throw new Error(`expected a success, got ${JSON.stringify(result)}`)
  return Object(result.data)
}

async function codeOf(call: ReturnType<typeof pack.call>): Promise<string> {
  const { result } = await call
  return result.success ? 'done' : isAsking(result) ? 'asks' : result.code
}

describe('the first requests', () => {
  it('create two systems, link them, and are told in the words of the pack', async () => {
    const create = (name: string, systemSlug: string) => pack.call('create_game_system', { name, systemSlug })
    const combat = await create('Combat System', 'combat-system')
    const loot = await create('Loot System', 'loot-system')
    expect(combat.record.description).toBe('Created game system "Combat System" (combat-system)')
    const idOf = ({ result }: typeof combat) => (result.success ? Object(result.data).id : undefined)
    const link = { sourceSystemId: idOf(loot), targetSystemId: idOf(combat) }
    const added = await pack.call('add_dependency', link)
    expect(added.record).toMatchObject({
      status: 'done',
      description: 'Added dependency: Loot System requires Combat System',
      apiCall: { service: 'dependencies.add', kind: 'create' },
    })
    const circle = { sourceSystemId: link.targetSystemId, targetSystemId: link.sourceSystemId }
    expect((await pack.call('add_dependency', circle)).result).toMatchObject({
      code: 'CONFLICT',
      error: expect.stringContaining('Loot System → Combat System → Loot System'),
    })
    const removed = await pack.call('remove_dependency', link)
    expect(removed.record).toMatchObject({ status: 'done', risk: 'medium' })
  })

  it('delete the old prototype once a person has approved it, and not before', async () => {
    const input = { systemId: pack.demo.oldPrototype }
    const waiting = await pack.call('delete_game_system', input)
    expect(waiting.record).toMatchObject({
      status: 'awaiting_approval',
      description: 'Waiting for approval: Delete game system "Old Prototype"',
    })
    expect(isAsking(waiting.result) && waiting.result.preview).toMatchObject({
      gameSystem: { name: 'Old Prototype' },
      warning: expect.stringContaining('No other system depends on it'),
    })
    expect(await dataOf(pack.call('get_game_system', input))).toMatchObject({ name: 'Old Prototype' })
    const approved = await pack.call('delete_game_system', input, { approve: true, idempotencyKey: 'once' })
    expect(approved.record).toMatchObject({ status: 'done', description: 'Deleted game system "Old Prototype"' })
    expect(await codeOf(pack.call('get_game_system', input))).toBe('NOT_FOUND')
  })
})

describe('asking', () => {
  it('happens for six tools and no other', async () => {
    const { demo, scope } = pack
    const asking: string[] = []
    for (const tool of pack.tools) {
      const example = tool.examples.find((one) => one.gives !== undefined)
      const input = example?.input(demo as never) // the erased tool does not know its demo's type
      const own = example?.scope?.(demo as never) ?? scope // as above
      if (
        tool.name !== 'delete_game_system' &&
        (await codeOf(pack.call(tool.name, input, { scope: own }))) === 'asks'
      ) {
        asking.push(tool.name)
      }
    }
    const inventory = pack.call('delete_game_system', { systemId: demo.inventory })
    if ((await codeOf(inventory)) === 'asks') asking.push('delete_game_system')
    expect(asking.sort()).toEqual([
      'delete_brainstorm',
      'delete_game_system',
      'delete_project',
      'delete_version_plan',
      'finalize_threads_to_brainstorm',
      'finalize_version_plan',
    ])
  })

  it('does not happen for what cannot be done', async () => {
    expect(await codeOf(pack.call('delete_version_plan', { planId: pack.demo.finalizedPlan }))).toBe('CONFLICT')
    expect(await codeOf(pack.call('delete_brainstorm', { brainstormId: 'missing' }))).toBe('NOT_FOUND')
    expect(await codeOf(pack.call('delete_project', { projectId: pack.demo.otherProject }))).toBe('FORBIDDEN')
  })
})

describe('roles and workspaces', () => {
  it('let a reader read and post, and nothing else', async () => {
    const as = 'carol'
    expect(await codeOf(pack.call('list_game_systems', {}, { as }))).toBe('done')
    const post = { threadId: pack.demo.thread, content: 'I read along.' }
    expect(await codeOf(pack.call('post_idea_message', post, { as }))).toBe('done')
    expect(await codeOf(pack.call('create_idea_thread', { content: 'Mine' }, { as }))).toBe('FORBIDDEN')
    expect(await codeOf(pack.call('generate_export', { exportType: 'gdd' }, { as }))).toBe('FORBIDDEN')
    expect(await codeOf(pack.call('delete_brainstorm', { brainstormId: pack.demo.brainstorm }, { as }))).toBe(
      'FORBIDDEN',
    )
  })

  it('show strangers the same for what is there and what is not', async () => {
    for (const scope of [pack.other.scope, {}]) {
      const ask = (systemId: string) => pack.call('get_game_system', { systemId }, { as: 'mallory', scope })
      const { result } = await ask(pack.demo.inventory)
      expect(result).toMatchObject({ success: false, code: 'NOT_FOUND' })
      const missing = await ask('missing')
      expect(JSON.stringify(result).replaceAll(pack.demo.inventory, 'missing')).toBe(JSON.stringify(missing.result))
    }
    const inForeignScope = { as: 'mallory', scope: pack.scope }
    expect(await codeOf(pack.call('list_game_systems', {}, inForeignScope))).toBe('NOT_FOUND')
    expect(await codeOf(pack.call('create_idea_thread', { content: 'Hi' }, inForeignScope))).toBe('NOT_FOUND')
  })
})
