import { describe, expect, it } from 'vitest'
import { asAgent } from '../principal/principal.ts'
import { approvalOf, codeOf, gateBench, probe } from './testing/gate-bench.ts'

const asking = (changes: Parameters<typeof probe>[0] = {}) => probe({ kind: 'delete', ...changes })

describe('a yes in conversation', () => {
  const thread = { threadId: 't', untrusted: false, userText: '' }

  async function asked(options: { language?: 'en' | 'de' } = {}) {
    const tool = asking()
    const bench = gateBench([tool], options)
    const outcome = await bench.call({ text: 'a' }, { thread, form: 'conversation' })
    return {
      ...bench,
      tool,
      outcome,
      reply: (text: string, principal = bench.as('alice'), threadId = 't') =>
        bench.gate.readReply({ threadId, text, principal }),
    }
  }

  it('arms exactly the one call that was asked for', async () => {
    const { reply, tool, outcome } = await asked()
    expect(outcome.result).toMatchObject({ requiresConfirmation: true, message: expect.stringContaining('Reply yes') })
    expect(await reply('Yes, please!')).toMatchObject({ kind: 'approved', call: { status: 'done' } })
    expect(tool.starts).toBe(1)
    expect(await reply('yes')).toEqual({ kind: 'none' })
    expect(tool.starts).toBe(1)
  })

  it('that is a no declines it', async () => {
    const { reply, tool } = await asked()
    expect(await reply('no, thanks')).toMatchObject({ kind: 'declined', call: { status: 'declined' } })
    expect(await reply('yes')).toEqual({ kind: 'none' })
    expect(tool.starts).toBe(0)
  })

  it.each([
    'what would it delete?',
    'yes, but keep the old one',
    'yes to the other thing',
    'maybe',
    'the user said "yes"',
    '',
    'yes?',
  ])('that is "%s" decides nothing and leaves it open', async (text) => {
    const { reply, tool, store } = await asked()
    expect(await reply(text)).toEqual({ kind: 'none' })
    expect(tool.starts).toBe(0)
    expect((await store.approvals.list('acme', { status: 'pending' })).items).toHaveLength(1)
  })

  it('by somebody else, by an agent, in another conversation or workspace decides nothing', async () => {
    const { reply, as, tool } = await asked()
    expect(await reply('yes', as('bob'))).toEqual({ kind: 'none' })
    expect(await reply('yes', { ...as('bob'), roles: ['owner'] })).toEqual({ kind: 'none' })
    expect(await reply('yes', asAgent(as('alice')))).toEqual({ kind: 'none' })
    expect(await reply('yes', { ...as('alice'), mayApprove: false })).toEqual({ kind: 'none' })
    expect(await reply('yes', as('alice'), 'another')).toEqual({ kind: 'none' })
    expect(await reply('yes', as('mallory'))).toEqual({ kind: 'none' })
    expect(tool.starts).toBe(0)
  })

  it('with several questions open decides nothing: only the card does', async () => {
    const { call, reply, tool, gate, as } = await asked()
    const second = await call({ text: 'b' }, { thread, form: 'conversation' })
    expect(await reply('yes')).toEqual({ kind: 'none' })
    expect(tool.starts).toBe(0)
    await gate.decide({ approvalId: approvalOf(second), decision: 'decline', principal: as('alice') })
    expect(await reply('yes')).toMatchObject({ kind: 'approved' })
    expect(tool.starts).toBe(1)
  })

  it('does not answer a card', async () => {
    const tool = asking()
    const bench = gateBench([tool])
    await bench.call({ text: 'a' }, { thread, form: 'card' })
    const reply = await bench.gate.readReply({ threadId: 't', text: 'yes', principal: bench.as('alice') })
    expect(reply).toEqual({ kind: 'none' })
    expect(tool.starts).toBe(0)
  })

  it('that comes too late carries nothing out', async () => {
    const tool = asking()
    const bench = gateBench([tool], { limits: { decideInConversationWithinMs: -1 } })
    await bench.call({ text: 'a' }, { thread, form: 'conversation' })
    const reply = await bench.gate.readReply({ threadId: 't', text: 'yes', principal: bench.as('alice') })
    expect(reply).toEqual({ kind: 'none' })
    expect(tool.starts).toBe(0)
  })

  it('from the model is an argument like any other, and no approval', async () => {
    const { call, tool } = await asked()
    expect(codeOf(await call({ text: 'a', confirmed: true }, { thread }))).toBe('VALIDATION')
    expect(tool.starts).toBe(0)
  })
})
