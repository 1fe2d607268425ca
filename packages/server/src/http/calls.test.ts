import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../testing/open-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

const call = (name: string, body: unknown, as = 'alice') => server.post(`/api/tools/${name}/call`, body, as)

describe('POST /api/tools/:name/call', () => {
  it('answers 200 with the record of what was done, in the name of the person', async () => {
    const { status, body } = await call('probe_echo', { input: { text: 'hello' } })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      pack: 'probe',
      toolName: 'probe_echo',
      status: 'done',
      door: 'http',
      principal: { tenantId: 'acme', userId: 'alice', actor: 'person', via: { credentialId: 'dev:alice' } },
      result: { success: true, data: { text: 'hello' } },
    })
  })

  it.each([
    ['probe_echo', { text: 7 }, 400, 'VALIDATION'],
    ['probe_echo', { text: 'a', more: 1 }, 400, 'VALIDATION'],
    ['probe_echo', undefined, 400, 'VALIDATION'],
    ['probe_nothing', {}, 404, 'UNKNOWN_TOOL'],
    ['probe_fails', { code: 'NOT_FOUND' }, 404, 'NOT_FOUND'],
    ['probe_fails', { code: 'CONFLICT' }, 409, 'CONFLICT'],
    ['probe_fails', { code: 'FORBIDDEN' }, 403, 'FORBIDDEN'],
    ['probe_fails', { code: 'UNAVAILABLE' }, 503, 'UNAVAILABLE'],
    ['probe_slow', {}, 504, 'TIMEOUT'],
    ['probe_broken', {}, 500, 'INTERNAL'],
  ])('answers %s %j with %i and the record, code %s', async (name, input, status, code) => {
    const answer = await call(name, { input })
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ callId: expect.any(String), toolName: name, result: { success: false, code } })
    expect(JSON.stringify(answer.body)).not.toContain('hunter2')
  })

  it('answers 200 where nobody knows the outcome, and takes what a person says of it, once', async () => {
    const { status, body } = await call('probe_uncertain', { input: {} })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'unknown', result: { code: 'UNKNOWN_OUTCOME' } })
    const path = `/api/calls/${body.callId}/settlement`
    expect((await server.post(path, { outcome: 'maybe' }, 'alice')).status).toBe(400)
    expect((await server.post(path, { outcome: 'happened' }, 'carol')).status).toBe(403)
    expect(await server.post(path, { outcome: 'happened' }, 'alice')).toMatchObject({
      status: 200,
      body: { status: 'done' },
    })
    expect(await server.post(path, { outcome: 'did_not_happen' }, 'alice')).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT' } },
    })
  })

  it('answers 202 with where to look, where a person must decide first', async () => {
    const { status, headers, body } = await call('probe_act', { input: {} })
    expect(status).toBe(202)
    expect(body).toMatchObject({ status: 'awaiting_approval', approval: { status: 'pending' } })
    expect(headers.get('location')).toBe(`/api/calls/${body.callId}`)
    expect(await server.get(`/api/calls/${body.callId}`, 'alice')).toMatchObject({
      status: 200,
      body: { callId: body.callId },
    })
  })

  it('answers 403 to a role that may not', async () => {
    const { status, body } = await call('probe_act', { input: {} }, 'carol')
    expect(status).toBe(403)
    expect(body).toMatchObject({ status: 'refused', result: { code: 'FORBIDDEN' } })
  })

  it('answers 429 and says when to come back', async () => {
    await call('probe_rarely', { input: {} }, 'bob')
    const { status, headers, body } = await call('probe_rarely', { input: {} }, 'bob')
    expect(status).toBe(429)
    expect(body).toMatchObject({ status: 'refused', result: { code: 'RATE_LIMITED' } })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await call('probe_rarely', { input: {} }, 'alice')).status).toBe(200)
  })

  it('answers the same key with the same call, and another input under it with 409', async () => {
    const body = { input: { text: 'once' }, idempotencyKey: 'k-1' }
    const first = await call('probe_echo', body)
    expect(await call('probe_echo', body)).toMatchObject({ status: 200, body: { callId: first.body.callId } })
    const byHeader = await server.post('/api/tools/probe_echo/call', { input: { text: 'once' } }, 'alice', {
      'idempotency-key': 'k-1',
    })
    expect(byHeader.body.callId).toBe(first.body.callId)
    expect((await call('probe_echo', { ...body, input: { text: 'twice' } })).status).toBe(409)
    const twoKeys = await server.post('/api/tools/probe_echo/call', body, 'alice', { 'idempotency-key': 'k-2' })
    expect(twoKeys).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION' } } })
  })

  it('finds a tool in the pack that is named, and not in another', async () => {
    expect((await call('probe_echo', { input: { text: 'a' }, pack: 'probe' })).status).toBe(200)
    expect((await call('probe_echo', { input: { text: 'a' }, pack: 'gameplan' })).status).toBe(404)
  })
})

describe('GET /api/calls/:id', () => {
  it('shows a reader what is theirs, and not what others did', async () => {
    const { body } = await call('probe_echo', { input: { text: 'private' } })
    expect((await server.get(`/api/calls/${body.callId}`, 'bob')).status).toBe(200)
    expect(await server.get(`/api/calls/${body.callId}`, 'carol')).toEqual(
      expect.objectContaining({ status: 404, body: { error: { code: 'NOT_FOUND', message: expect.any(String) } } }),
    )
    const own = await call('probe_echo', { input: { text: 'hers' } }, 'carol')
    expect((await server.get(`/api/calls/${own.body.callId}`, 'carol')).status).toBe(200)
  })
})

describe('GET /api/tools', () => {
  it('lists what the person may call, as Handrail knows it', async () => {
    const { body } = await server.get('/api/tools?pack=gameplan', 'alice')
    expect(body.items).toHaveLength(33)
    expect(body.items.filter((tool: { requiresApproval: boolean }) => tool.requiresApproval)).toHaveLength(6)
    expect(body.items.find(({ name }: { name: string }) => name === 'delete_game_system')).toMatchObject({
      title: 'Delete game system',
      pack: 'gameplan',
      category: 'game-system',
      kind: 'delete',
      effect: 'transaction',
      risk: 'high',
      requiresApproval: true,
      inputSchema: { type: 'object', properties: { systemId: {} } },
    })
    const forCarol = await server.get('/api/tools?pack=gameplan', 'carol')
    expect(forCarol.body.items.some(({ kind }: { kind: string }) => kind === 'delete')).toBe(false)
  })

  it.each([
    ['openai', { type: 'function', function: { name: 'list_projects', parameters: { type: 'object' } } }],
    ['anthropic', { name: 'list_projects', input_schema: { type: 'object' } }],
    ['mcp', { name: 'list_projects', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }],
    ['backboard', { type: 'function', function: { name: 'list_projects' } }],
    ['ai-sdk', { name: 'list_projects', inputSchema: { type: 'object' } }],
  ])('gives them as %s takes them', async (format, expected) => {
    const { body } = await server.get(`/api/tools?pack=gameplan&format=${format}`, 'alice')
    expect(body.items).toContainEqual(expect.objectContaining(deep(expected)))
  })

  it('answers an unknown pack with 404 and an unknown format with 400', async () => {
    expect((await server.get('/api/tools?pack=nothing', 'alice')).status).toBe(404)
    expect((await server.get('/api/tools?format=xml', 'alice')).status).toBe(400)
  })
})

describe('GET /api/packs', () => {
  it('says which packs there are, and the role in each', async () => {
    const { body } = await server.get('/api/packs', 'carol')
    expect(body.items).toMatchObject([
      { name: 'gameplan', role: 'reader', demoScope: { projectId: expect.any(String) } },
      { name: 'probe', role: 'reader' },
    ])
  })
})

function deep(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      typeof child === 'object' && child !== null ? expect.objectContaining(deep({ ...child })) : child,
    ]),
  )
}
