import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestDatabase } from '@handrail/postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from './start-server.ts'
import { ChatClient, textOf } from './testing/chat-client.ts'
import { probe } from './testing/probe-pack.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'handrail-start-'))
const printed: string[] = []
let server: RunningServer

const start = (port = 0) =>
  startServer({
    env: { HANDRAIL_DATA: dataFolder, HANDRAIL_LOG: 'silent' },
    port,
    print: (text) => printed.push(text),
    handleSignals: false,
  })

beforeAll(async () => {
  server = await start()
})
afterAll(async () => {
  await server.close()
  rmSync(dataFolder, { recursive: true, force: true })
})

const get = async (path: string, as = 'alice') =>
  (await fetch(`${server.url}${path}`, { headers: { 'x-handrail-user': as } })).json()

/** `fetch` sets `Host` by itself. */
const statusFor = (headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${server.url}/api/packs`,
      { headers: { 'x-handrail-user': 'alice', ...headers } },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      },
    )
    sent.on('error', reject).end()
  })

describe('startServer', () => {
  it('says where it is, who answers, who one may be, and what to do next', () => {
    const text = printed[0] ?? ''
    expect(text).toContain(server.url)
    expect(text).toContain('the offline interpreter')
    expect(text).toContain('OPENAI_API_KEY')
    for (const name of ['alice', 'bob', 'carol', 'mallory']) expect(text).toContain(name)
    expect(text).toContain('npx handrail chat')
    expect(text).toContain("curl -H 'X-Handrail-User: alice'")
  })

  it('makes two systems and their dependency from a sentence, over the network, with useChat', async () => {
    const chat = new ChatClient({ id: 'first-chat', as: 'alice', origin: server.url })
    await chat.sendMessage({
      text: 'Create a combat system and a loot system in Dungeon Crawler, then make loot depend on combat',
    })
    expect(chat.error).toBeUndefined()
    expect(chat.lastText).toContain('Loot System')
    const { items } = await get('/api/ledger?status=done')
    expect(items.map(({ description }: { description: string }) => description)).toEqual(
      expect.arrayContaining([
        'Created game system "Combat System" (combat-system)',
        'Created game system "Loot System" (loot-system)',
        'Added dependency: Loot System requires Combat System',
      ]),
    )
    const { items: threads } = await get('/api/threads')
    expect(threads[0].title).toContain('Create a combat system')
  })

  it('asks before it deletes, and deletes once a person says so', async () => {
    const chat = new ChatClient({ id: 'second-chat', as: 'alice', origin: server.url })
    await chat.sendMessage({ text: 'Delete the old prototype system' })
    const waiting = chat.lastTools.find(({ state }) => state === 'approval-requested')
    expect(waiting).toMatchObject({ type: 'tool-delete_game_system' })
    const approvalId = waiting?.state === 'approval-requested' ? waiting.approval.id : ''
    await chat.addToolApprovalResponse({ id: approvalId, approved: true })
    await chat.sendMessage()
    expect(chat.error).toBeUndefined()
    const { items } = await get('/api/ledger?tool=delete_game_system')
    expect(items).toMatchObject([{ status: 'done', description: 'Deleted game system "Old Prototype"' }])
  })

  it('refuses names that are not its own in Host and Origin', async () => {
    const { host, port } = new URL(server.url)
    expect(await statusFor({ host })).toBe(200)
    expect(await statusFor({ host: `localhost:${port}` })).toBe(200)
    expect(await statusFor({ host: `rebound.example:${port}` })).toBe(403)
    expect(await statusFor({ host: 'localhost:1' })).toBe(403)
    expect(await statusFor({ host, origin: 'https://evil.example' })).toBe(403)
  })

  it('is refused for a data folder that this server holds, and for a port that is taken', async () => {
    await expect(start()).rejects.toMatchObject({ name: 'SetupError', code: 'DATA_FOLDER_IN_USE' })
    const elsewhere = mkdtempSync(join(tmpdir(), 'handrail-start-'))
    const taken = startServer({
      env: { HANDRAIL_DATA: elsewhere, HANDRAIL_LOG: 'silent' },
      database: await openTestDatabase({ engine: 'pglite' }),
      packs: [probe],
      port: Number(new URL(server.url).port),
      print: () => {},
      handleSignals: false,
    })
    await expect(taken).rejects.toMatchObject({ name: 'SetupError', code: 'PORT_IN_USE' })
    rmSync(elsewhere, { recursive: true, force: true })
  })

  it('stops with streams open, starts again on the same folder, and has everything as it was', async () => {
    const events = await fetch(`${server.url}/api/events`, { headers: { 'x-handrail-user': 'alice' } })
    const ended = events.text()
    const before = await get('/api/ledger')
    await server.close()
    expect(await ended).toContain(': connected')
    await expect(fetch(server.url)).rejects.toThrow()

    server = await start()
    expect(await get('/api/ledger')).toEqual(before)
    const verified = await get('/api/ledger/verify')
    expect(verified).toMatchObject({ intact: true, unsealed: 0 })
    expect(verified.head).toEqual(verified.anchor)
    const { messages } = await get('/api/threads/second-chat')
    expect(textOf(messages[0])).toBe('Delete the old prototype system')
  })
})
