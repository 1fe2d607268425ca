import { gameplan } from '@handrail/pack-gameplan'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from './running-server.ts'

describe('a pack that asks in plain conversation, over the wire', () => {
  let app: TestServer
  beforeAll(async () => {
    app = await startTestServer('pglite', { packs: [{ ...gameplan, asking: 'conversation' }] })
  })
  afterAll(() => app?.close())

  const statusOf = async (user: string, callId: string) =>
    Object((await app.request(user, `/api/calls/${callId}`)).body).status
  /** A brainstorm of the test's own, and the question whether to delete it. */
  async function askedToDelete(user: string, title: string) {
    const chat = app.chat(user)
    await chat.say(
      `/create_brainstorm ${JSON.stringify({ title, content: title })}\n\n/delete_brainstorm {"brainstormId": "$1.id"}`,
    )
    const asked = chat.cards().findLast(({ toolName }) => toolName === 'delete_brainstorm')
    expect(asked).toMatchObject({ status: 'awaiting_approval', result: { requiresConfirmation: true } })
    return { chat, callId: asked?.callId ?? '' }
  }
  const scope = async () => Object((await app.request('alice', '/api/packs')).body).items[0].demoScope
  const brainstorms = async () =>
    JSON.stringify(
      (
        await app.request('alice', '/api/tools/list_brainstorms/call', {
          input: { pageSize: 100 },
          scope: await scope(),
        })
      ).body,
    )

  it('deletes on a plain yes of the person who was asked, once', async () => {
    const { chat, callId } = await askedToDelete('alice', 'Fog Harbour')
    await chat.say('yes')
    expect(await statusOf('alice', callId)).toBe('done')
    expect(await brainstorms()).not.toContain('Fog Harbour')
    await chat.say('yes')
    const { items } = JSON.parse((await app.request('alice', '/api/ledger?tool=delete_brainstorm&status=done')).text)
    expect(items.filter((call: { callId: string }) => call.callId === callId)).toHaveLength(1)
  })

  it('deletes nothing on a no', async () => {
    const { chat, callId } = await askedToDelete('alice', 'Glass Orchard')
    await chat.say('no')
    expect(await statusOf('alice', callId)).toBe('declined')
    await chat.say('yes')
    expect(await statusOf('alice', callId)).toBe('declined')
    expect(await brainstorms()).toContain('Glass Orchard')
  })

  it.each(['What would it delete?', 'yes, but keep the plans', 'maybe later'])(
    'decides nothing on: %s',
    async (words) => {
      const { chat, callId } = await askedToDelete('alice', `Iron Meadow ${words.length}`)
      await chat.say(words)
      expect(await statusOf('alice', callId)).toBe('awaiting_approval')
      expect(await brainstorms()).toContain(`Iron Meadow ${words.length}`)
    },
  )

  it('takes a yes from nobody else, and from no other conversation', async () => {
    const { callId } = await askedToDelete('alice', 'Jade Tunnel')
    await app.chat('bob').say('yes')
    await app.chat('alice').say('yes')
    await app.chat('mallory').say('yes')
    expect(await statusOf('alice', callId)).toBe('awaiting_approval')
    expect(await brainstorms()).toContain('Jade Tunnel')
  })
})
