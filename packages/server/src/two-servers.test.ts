import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestDatabase, type TestDatabase } from '@handrail/postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from './start-server.ts'
import { ChatClient, textOf } from './testing/chat-client.ts'

let database: TestDatabase
let servers: [RunningServer, RunningServer]
const dataFolder = mkdtempSync(join(tmpdir(), 'handrail-two-'))

beforeAll(async () => {
  database = await openTestDatabase({ engine: 'postgres' })
  const start = () =>
    startServer({
      env: { HANDRAIL_DATA: dataFolder, DATABASE_URL: database.url, HANDRAIL_LOG: 'silent' },
      port: 0,
      print: () => {},
      handleSignals: false,
    })
  servers = await Promise.all([start(), start()])
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
  await database.close()
  rmSync(dataFolder, { recursive: true, force: true })
})

const get = async (server: RunningServer, path: string) =>
  (await fetch(`${server.url}${path}`, { headers: { 'x-handrail-user': 'alice' } })).json()

describe('two servers that start at once on one Postgres', () => {
  it('fill the demo once', async () => {
    const call = await fetch(`${servers[0].url}/api/tools/list_projects/call`, {
      method: 'POST',
      headers: { 'x-handrail-user': 'alice', 'content-type': 'application/json' },
      body: '{}',
    })
    const { result } = await call.json()
    expect(result.data.items.map(({ name }: { name: string }) => name).sort()).toEqual([
      'Dungeon Crawler',
      'Puzzle Garden',
    ])
  })

  it('carry on one conversation: asked at one, approved at the other, executed once, answered', async () => {
    const [first, second] = servers
    const chat = new ChatClient({ id: 'shared', as: 'alice', origin: first.url })
    await chat.sendMessage({ text: 'Delete the old prototype system' })
    expect(chat.lastTools.at(-1)).toMatchObject({ state: 'approval-requested' })

    const { messages } = await get(second, '/api/threads/shared')
    const elsewhere = new ChatClient({ id: 'shared', as: 'alice', origin: second.url, messages })
    const waiting = elsewhere.lastTools.at(-1)
    const approvalId = waiting?.state === 'approval-requested' ? waiting.approval.id : ''
    await elsewhere.addToolApprovalResponse({ id: approvalId, approved: true })
    await elsewhere.sendMessage()
    expect(elsewhere.error).toBeUndefined()
    expect(elsewhere.lastTools.at(-1)).toMatchObject({ state: 'output-available', output: { success: true } })
    expect(elsewhere.lastText).toContain('Old Prototype')
    const { items } = await get(first, '/api/ledger?tool=delete_game_system')
    expect(items).toMatchObject([{ status: 'done' }])
    const stored = await get(first, '/api/threads/shared')
    expect(stored.messages).toHaveLength(2)
    expect(textOf(stored.messages[1])).toBe(elsewhere.lastText)
  })

  it('tell of what happened at the other one', async () => {
    const [first, second] = servers
    const events = await fetch(`${second.url}/api/events`, { headers: { 'x-handrail-user': 'alice' } })
    const reader = (events.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
    const call = await fetch(`${first.url}/api/tools/create_project/call`, {
      method: 'POST',
      headers: { 'x-handrail-user': 'alice', 'content-type': 'application/json' },
      body: JSON.stringify({ input: { name: 'Third' } }),
    })
    const { callId } = await call.json()
    let seen = ''
    while (!seen.includes(`event: changed\ndata: {"topic":"changed","id":"${callId}"}`)) {
      const { value, done } = await reader.read()
      if (done) break
      seen += value
    }
    expect(seen).toContain(callId)
    await reader.cancel()
  })

  it('seal one record that verifies at both', async () => {
    for (const { context } of servers) await context.sealer.sealNow()
    for (const server of servers) {
      const verified = await get(server, '/api/ledger/verify')
      expect(verified).toMatchObject({ intact: true, problems: [], unsealed: 0 })
    }
  })
})
