import { newId } from 'handrail'
import { scriptedModel } from 'handrail/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, openTestServer, type TestServer } from '../testing/open-test-server.ts'

let server: TestServer
/** What acme has, by what it is. */
let ids: Record<'thread' | 'run' | 'call' | 'approval', string>

beforeAll(async () => {
  const model = scriptedModel([{ toolCalls: [{ name: 'probe_act', input: { note: 'canary-of-acme' } }] }])
  server = await openTestServer({ model })
  const thread = newId()
  const messages = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'canary-of-acme' }] }]
  await server.post('/api/chat', { id: thread, pack: 'probe', scope: {}, messages }, 'alice')
  const { body } = await server.get('/api/approvals?status=pending', 'alice')
  const [{ runId, callId, approvalId }] = body.items
  ids = { thread, run: runId, call: callId, approval: approvalId }
})
afterAll(() => server.close())

const requests: [string, (id: string, as: string) => Promise<Answer>][] = [
  ['GET /api/threads/:id', (id, as) => server.get(`/api/threads/${id}`, as)],
  ['GET /api/chat/:id/stream', (id, as) => server.get(`/api/chat/${id}/stream`, as)],
  ['POST /api/chat/:id/stop', (id, as) => server.post(`/api/chat/${id}/stop`, {}, as)],
  ['GET /api/runs/:id', (id, as) => server.get(`/api/runs/${id}`, as)],
  ['POST /api/runs/:id/cancel', (id, as) => server.post(`/api/runs/${id}/cancel`, {}, as)],
  ['GET /api/calls/:id', (id, as) => server.get(`/api/calls/${id}`, as)],
  [
    'POST /api/calls/:id/settlement',
    (id, as) => server.post(`/api/calls/${id}/settlement`, { outcome: 'happened' }, as),
  ],
  [
    'POST /api/approvals/:id/decision',
    (id, as) => server.post(`/api/approvals/${id}/decision`, { decision: 'approve' }, as),
  ],
  ['GET /api/ledger?run=', (id, as) => server.get(`/api/ledger?run=${id}`, as)],
  ['GET /api/ledger?tool=', (id, as) => server.get(`/api/ledger?tool=${id}`, as)],
  ['GET /api/ledger?user=', (id, as) => server.get(`/api/ledger?user=${id}`, as)],
  ['GET /api/ledger.csv?run=', (id, as) => server.get(`/api/ledger.csv?run=${id}`, as)],
  ['GET /api/runs?thread=', (id, as) => server.get(`/api/runs?thread=${id}`, as)],
  [
    'POST /api/chat with an answered approval',
    (id, as) => {
      const approval = { id, approved: true }
      const part = { type: 'tool-probe_act', toolCallId: 'c', state: 'approval-responded', input: {}, approval }
      return server.post('/api/chat', { id: ids.thread, messages: [{ id: 'a', role: 'assistant', parts: [part] }] }, as)
    },
  ],
]
const shown = ({ status, body }: Answer) => ({ status, body })

describe('another workspace', () => {
  it.each(requests)('gets the same from %s for what is there as for what is not', async (_, request) => {
    for (const id of [...Object.values(ids), 'alice', 'probe_act']) {
      expect(shown(await request(id, 'mallory'))).toEqual(shown(await request(newId(), 'mallory')))
    }
  })

  it('gets 404 for each of its ids on the routes that take one', async () => {
    for (const [name, request] of requests.filter(([name]) => name.includes(':id') && !name.endsWith('stream'))) {
      for (const id of Object.values(ids)) expect((await request(id, 'mallory')).status, name).toBe(404)
    }
  })

  it('finds nothing in its own lists, ledger, events and tools that is of acme', async () => {
    const paths = [
      '/api/threads',
      '/api/runs',
      '/api/approvals',
      '/api/ledger',
      '/api/ledger.csv',
      '/api/ledger/verify',
      '/api/packs',
    ]
    const seen = JSON.stringify(await Promise.all(paths.map((path) => server.get(path, 'mallory'))))
    for (const id of [...Object.values(ids), 'canary-of-acme', 'acme']) expect(seen).not.toContain(id)
  })

  it('begins a conversation of its own under an id that acme has, and sees nothing of the other', async () => {
    const messages = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'hi' }] }]
    await server.post('/api/chat', { id: ids.thread, pack: 'probe', scope: {}, messages }, 'mallory')
    const { status, body } = await server.get(`/api/threads/${ids.thread}`, 'mallory')
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toContain('canary-of-acme')
    expect((await server.get(`/api/threads/${ids.thread}`, 'alice')).body.messages).toHaveLength(2)
  })

  it("cannot act on another workspace's project, which is to it as one that is not there", async () => {
    const { demoScope } = server.context
    const ofAcme = demoScope('acme', 'gameplan')
    const answers = await Promise.all(
      [ofAcme, { projectId: newId() }].map((scope) =>
        server.post('/api/tools/list_game_systems/call', { input: {}, scope }, 'mallory'),
      ),
    )
    const [first, second] = answers.map(({ status, body }) => ({
      status,
      code: body.result.code,
      error: body.result.error,
    }))
    expect(first).toEqual(second)
    expect(first).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })

  it('has left everything of acme as it was', async () => {
    const { body } = await server.get('/api/approvals?status=pending', 'alice')
    expect(body.items).toMatchObject([{ approvalId: ids.approval, status: 'pending' }])
    expect((await server.get(`/api/runs/${ids.run}`, 'alice')).body.status).toBe('waiting')
  })
})

describe('a colleague', () => {
  it('does not see conversations and runs of others', async () => {
    expect((await server.get(`/api/threads/${ids.thread}`, 'bob')).status).toBe(404)
    expect((await server.get(`/api/runs/${ids.run}`, 'bob')).status).toBe(404)
    expect((await server.post(`/api/runs/${ids.run}/cancel`, {}, 'bob')).status).toBe(404)
    expect((await server.post(`/api/chat/${ids.thread}/stop`, {}, 'bob')).status).toBe(404)
    expect((await server.get('/api/runs', 'bob')).body.items).toEqual([])
    expect((await server.get('/api/approvals', 'bob')).body.items).toEqual([])
  })
})
