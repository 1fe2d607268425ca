import { describe, expect, it } from 'vitest'
import { freshParaphrases } from './fresh-paraphrases.ts'
import { noOrders } from './no-orders.ts'
import { notWrites } from './not-writes.ts'
import { type Paraphrase, paraphrases } from './paraphrases.ts'
import { plainParaphrases } from './plain-paraphrases.ts'
import { Conversation, intended, judge, kindOf, offeredTools } from './planning-world.ts'

const fresh = [...freshParaphrases, ...plainParaphrases]

async function verdicts(requests: readonly Paraphrase[]) {
  const found: { say: string; verdict: ReturnType<typeof judge> }[] = []
  for (const [say, tool, input] of requests) {
    const { calls } = await new Conversation().say(say)
    found.push({ say, verdict: judge(calls, tool, input) })
  }
  return found
}

const writesOf = async (say: string) => {
  const { calls } = await new Conversation().say(say)
  return calls.filter(({ toolName }) => kindOf(toolName) !== 'read')
}

describe('requests for all 33 tools in a person’s words', () => {
  it('cover every tool three times', () => {
    const counts = new Map(offeredTools().map(({ name }) => [name, 0]))
    for (const [, tool] of [...paraphrases, ...fresh]) counts.set(tool, (counts.get(tool) ?? 0) + 1)
    expect([...counts].filter(([, count]) => count < 3)).toEqual([])
    expect(counts.size).toBe(33)
  })

  it('are understood when they are of the kind it was made for', async () => {
    expect((await verdicts(paraphrases)).filter(({ verdict }) => verdict !== 'right')).toEqual([])
  }, 60_000)

  it('are right or honestly not understood when they are not', async () => {
    const found = await verdicts(fresh)
    expect(found.filter(({ verdict }) => verdict !== 'right' && verdict !== 'silent')).toEqual([])
    expect(found.filter(({ verdict }) => verdict === 'right').length / found.length).toBeGreaterThan(0.9)
  }, 60_000)
})

describe('what is no request changes nothing', () => {
  it.each([...notWrites, ...noOrders])('%s', async (say) => {
    expect(await writesOf(say)).toEqual([])
  })

  const frames: ((order: string) => string)[] = [
    (order) => `Don't ${order}`,
    (order) => `Should I ${order}?`,
    (order) => `If possible, ${order}`,
    (order) => `${order} unless Bob objects`,
    (order) => `${order} - just kidding`,
    (order) => `Bob said ${order}`,
    (order) => `${order} and then clean up`,
    (order) => `${order}. Or better not.`,
  ]
  it.each(frames.map((frame) => [frame('…'), frame] as const))(
    'any order as: %s',
    async (_, frame) => {
      const orders = paraphrases.filter(([say, tool]) => kindOf(tool) !== 'read' && !/[:\n]/.test(say))
      const written: string[] = []
      for (const [say] of orders) {
        const order = frame(say.charAt(0).toLowerCase() + say.slice(1).replace(/[.!?]$/, ''))
        if ((await writesOf(order)).length > 0) written.push(order)
      }
      expect(written).toEqual([])
    },
    60_000,
  )
})

describe('questions', () => {
  it.each(['Can you delete systems?', 'Can you create systems?', 'delete systems'])(
    'looks for no thing named by the verb: %s',
    async (say) => {
      const { calls, answer } = await new Conversation().say(say)
      expect(calls).toEqual([])
      expect(answer).toContain('I did not understand')
    },
  )
})

describe('a lead-in', () => {
  it.each(['Hi team!', 'I was on vacation all week,'])(
    'is skipped before a read and never before a write: %s',
    async (lead) => {
      const read = await new Conversation().say(`${lead} show me all projects`)
      expect(read.calls).toEqual([{ toolName: 'list_projects', input: {} }])
      expect(await writesOf(`${lead} delete the crafting system`)).toEqual([])
      expect(await writesOf(`${lead} show me all projects and delete the crafting system`)).toEqual([])
    },
  )
})

describe('politeness', () => {
  it.each(['please', 'pls', 'plz', 'thanks', 'thx', 'bitte'])('is no part of a value: %s', async (word) => {
    for (const say of [`projects in ideation ${word}`, `ideation projects, ${word}`]) {
      const { calls } = await new Conversation().say(say)
      expect(calls).toEqual([{ toolName: 'list_projects', input: { status: 'ideation' } }])
    }
  })
})

describe('what is not understood is said to read like', () => {
  it.each([
    ["Don't delete the crafting system", 'It reads like a negation'],
    ['If the tests pass, delete the old prototype system', 'It reads like a condition'],
    ['Should I delete the old prototype system?', 'It reads like a question'],
    ['Could you please bake a cake?', 'It is no wording that I know a tool for.'],
    ['Please kindly bake a cake, would you', 'It is no wording that I know a tool for.'],
    ['Please bake a cake that might rise', 'It is no wording that I know a tool for.'],
  ])('%s: %s', async (say, reason) => {
    const { answer } = await new Conversation().say(say)
    expect(answer).toContain(reason)
    expect(answer.match(/It reads like|It is no wording/g)).toHaveLength(1)
  })
})

describe('conversations', () => {
  it('creates two systems and links them by the ids of the results, in the project that was named', async () => {
    const { calls, steps } = await new Conversation().say(
      'Create a combat system and a loot system in Dungeon Crawler, then make loot depend on combat',
    )
    expect(intended(calls)).toEqual([
      {
        toolName: 'create_game_system',
        input: { name: 'Combat System', systemSlug: 'combat-system', projectId: 'prj_dungeon' },
      },
      {
        toolName: 'create_game_system',
        input: { name: 'Loot System', systemSlug: 'loot-system', projectId: 'prj_dungeon' },
      },
      { toolName: 'add_dependency', input: { sourceSystemId: 'new_3', targetSystemId: 'new_2' } },
    ])
    expect(steps).toBe(3)
  })

  it('finds the system to delete, and says that its deletion waits', async () => {
    const talk = new Conversation()
    const { calls, answer } = await talk.say('Delete the old prototype system')
    expect(intended(calls)).toEqual([{ toolName: 'delete_game_system', input: { systemId: 'sys_old' } }])
    expect(answer).toContain('Waiting for approval: delete game system "Old Prototype"')
    const reply = await talk.say('yes')
    expect(reply.calls).toEqual([])
    expect(reply.answer).toContain('still undecided')
  })

  it('does not link what could not be created', async () => {
    const talk = new Conversation({
      execute: (toolName, input) =>
        toolName === 'create_game_system' && input.name === 'Loot System'
          ? { success: false, code: 'CONFLICT', error: 'The slug `loot-system` is taken.' }
          : undefined,
    })
    const { calls, answer } = await talk.say(
      'Create a combat system and a loot system, then make loot depend on combat',
    )
    expect(calls.map(({ toolName }) => toolName)).toEqual(['create_game_system', 'create_game_system'])
    expect(answer).toContain('The slug `loot-system` is taken.')
    expect(answer).toContain('I did not go on to add dependency')
  })

  it('writes into another project only when it is named and found', async () => {
    const named = await new Conversation().say('In Space Trader, create a combat system and a loot system')
    expect(intended(named.calls).map(({ input }) => input.projectId)).toEqual(['prj_space', 'prj_space'])
    const unknown = await new Conversation().say('Create a combat system in Atlantis')
    expect(unknown.answer).toBe('I found no project called "Atlantis". I changed nothing.')
  })

  it('knows what *it* is when there is only one thing it can be', async () => {
    const talk = new Conversation()
    await talk.say('Show me the crafting system')
    const { calls } = await talk.say('Set its status to active')
    expect(calls).toEqual([{ toolName: 'update_game_system', input: { status: 'active', systemId: 'sys_crafting' } }])
    const lost = await new Conversation().say('Set its status to active')
    expect(lost.calls).toEqual([])
    expect(lost.answer).toContain('please name it')
  })

  it('asks which one is meant when several fit', async () => {
    const talk = new Conversation({
      execute: (toolName) =>
        toolName === 'list_game_systems'
          ? {
              success: true,
              message: 'Listed 2',
              data: {
                items: [
                  { id: 'a', name: 'Boss Combat' },
                  { id: 'b', name: 'Naval Combat' },
                ],
                total: 2,
              },
            }
          : undefined,
    })
    const { calls, answer } = await talk.say('Set the status of the combat system to active')
    expect(calls.map(({ toolName }) => toolName)).toEqual(['list_game_systems'])
    expect(answer).toContain('"Boss Combat" or "Naval Combat"')
  })

  it('gives one verb to several things', async () => {
    const { calls } = await new Conversation().say('Create combat and loot systems')
    expect(calls.map(({ input }) => input.name)).toEqual(['Combat System', 'Loot System'])
  })
})
