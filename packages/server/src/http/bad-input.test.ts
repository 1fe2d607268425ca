import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../testing/open-test-server.ts'
import { probe } from '../testing/probe-pack.ts'

interface Operation {
  method: 'GET' | 'POST'
  path: string
  queryNames: string[]
  takesBody: boolean
}

let server: TestServer
let operations: Operation[]
let stateBefore: string

/** Everything that a request could have changed. */
const state = async () => {
  const paths = ['/api/threads', '/api/runs', '/api/approvals']
  return JSON.stringify(await Promise.all(paths.map((path) => server.get(path, 'alice'))))
}

beforeAll(async () => {
  server = await openTestServer({ packs: [probe] })
  const { body } = await server.get('/openapi.json')
  operations = Object.entries<Record<string, Record<string, unknown>>>(body.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method === 'get' ? ('GET' as const) : ('POST' as const),
      path,
      queryNames: (Array.isArray(operation.parameters) ? operation.parameters : [])
        .filter((parameter: { in: string }) => parameter.in === 'query')
        .map(({ name }: { name: string }) => name),
      takesBody: 'requestBody' in operation,
    })),
  )
  stateBefore = await state()
})
afterAll(() => server.close())

const send = async (path: string, init: RequestInit = {}) => {
  const headers = { 'x-handrail-user': 'alice', 'content-type': 'application/json', ...init.headers }
  const response = await server.fetch(new Request(`http://localhost${path}`, { ...init, headers }))
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (isStream) await response.body?.cancel()
  return { status: response.status, text: isStream ? '' : await response.text() }
}
const inPath = (path: string, id: string) => path.replace(/\{\w+\}/g, id)
const expectClearRefusal = ({ status, text }: { status: number; text: string }, what: string, statuses?: number[]) => {
  expect(status, what).toBeGreaterThanOrEqual(400)
  expect(status, what).toBeLessThan(500)
  if (statuses) expect(statuses, what).toContain(status)
  expect(JSON.parse(text), what).toEqual({
    error: expect.objectContaining({ code: expect.any(String), message: expect.any(String) }),
  })
}

const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
const badBodies: [string, string, number[]][] = [
  ['no JSON', '{"input":', [400]],
  ['nothing', '', [400]],
  ['a list', '[]', [400]],
  ['null', 'null', [400]],
  ['a number', '7', [400]],
  ['10,000 brackets', deep, [400]],
  ['10,000 brackets in a field', `{"input":${deep}}`, [400]],
  ['a megabyte', JSON.stringify({ input: 'x'.repeat(1_000_000) }), [400, 413]],
  ['five megabytes', JSON.stringify({ input: 'x'.repeat(5_000_000) }), [413]],
  ['__proto__', '{"__proto__":{"input":{}}}', [400]],
  ['__proto__ inside', '{"input":{"a":{"__proto__":1}}}', [400]],
  ['constructor', '{"input":{"constructor":{"prototype":{}}}}', [400]],
  ['NUL', '{"input":"a\\u0000b"}', [400]],
  ['NUL in a key', '{"in\\u0000put":1}', [400]],
  ['half a surrogate pair', '{"input":{"text":"\\ud800"}}', [400]],
  ['unknown keys', '{"surprise":true}', [400]],
]
const badIds = [
  '%00',
  '%ED%A0%80',
  '%',
  '%E0%A4%A',
  'x'.repeat(5_000),
  '..%2f..%2fetc',
  '%F0%9F%92%A9',
  "'%20or%201=1--",
  '__proto__',
  'null',
  '-1',
]
const badQueries = ['%00', '', 'x'.repeat(5_000), '__proto__', '-1', '1e9', '%ED%A0%80', '[]']

describe('every route of the API', () => {
  it('is known, by method and path', () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toMatchInlineSnapshot(`
      [
        "GET /api/approvals",
        "GET /api/calls/{id}",
        "GET /api/chat/{id}/stream",
        "GET /api/events",
        "GET /api/ledger",
        "GET /api/ledger.csv",
        "GET /api/ledger/verify",
        "GET /api/packs",
        "GET /api/runs",
        "GET /api/runs/{id}",
        "GET /api/threads",
        "GET /api/threads/{id}",
        "GET /api/tools",
        "GET /docs",
        "GET /healthz",
        "GET /metrics",
        "GET /openapi.json",
        "GET /readyz",
        "POST /api/approvals/{id}/decision",
        "POST /api/calls/{id}/settlement",
        "POST /api/chat",
        "POST /api/chat/{id}/stop",
        "POST /api/runs/{id}/cancel",
        "POST /api/threads",
        "POST /api/tools/{name}/call",
      ]
    `)
  })

  it('answers nobody with 401', async () => {
    for (const { method, path } of operations.filter(({ path }) => path.startsWith('/api/'))) {
      for (const as of ['', 'eve', 'constructor', 'Alice']) {
        const answer = await send(inPath(path, 'x'), { method, headers: { 'x-handrail-user': as } })
        expectClearRefusal(answer, `${method} ${path} as ${as}`, [401])
      }
    }
  })

  it('answers a bad body with a clear 4xx', async () => {
    for (const { path, takesBody } of operations.filter(({ method }) => method === 'POST')) {
      for (const [what, body, statuses] of badBodies) {
        const isOptional = path.endsWith('/stop') || path.endsWith('/cancel')
        // What a client sends along when it stops is not used, nor looked into.
        if (isOptional && what === 'nothing') continue
        const answer = await send(inPath(path, 'probe_echo'), { method: 'POST', body })
        expectClearRefusal(answer, `${path}: ${what}`, takesBody ? statuses : [400, 413])
      }
    }
  })

  it('answers a body that is not UTF-8, or of another type, with a clear 4xx', async () => {
    for (const { path } of operations.filter(({ method }) => method === 'POST')) {
      const notText = new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])
      expectClearRefusal(await send(inPath(path, 'x'), { method: 'POST', body: notText }), path, [400])
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'application/jsonp',
      ]) {
        const answer = await send(inPath(path, 'x'), { method: 'POST', body: '{}', headers: { 'content-type': type } })
        expectClearRefusal(answer, `${path} as ${type}`, [415])
      }
    }
  })

  it('answers a bad id with a clear 4xx, or with nothing to take up', async () => {
    for (const { method, path, takesBody } of operations.filter(({ path }) => path.includes('{id}'))) {
      const body = path.endsWith('decision')
        ? { decision: 'approve' }
        : path.endsWith('settlement')
          ? { outcome: 'happened' }
          : {}
      for (const id of badIds) {
        const init = method === 'POST' && takesBody ? { method, body: JSON.stringify(body) } : { method }
        const answer = await send(inPath(path, id), init)
        if (path.endsWith('/stream') && answer.status === 204) continue
        expectClearRefusal(answer, `${method} ${path} ${id.slice(0, 40)}`, [400, 404])
      }
    }
  })

  it('answers a bad tool name with a clear 4xx', async () => {
    for (const name of badIds) {
      const { status } = await send(`/api/tools/${name}/call`, { method: 'POST', body: '{"input":{}}' })
      expect([400, 404], name.slice(0, 40)).toContain(status)
    }
  })

  it('answers a bad or unknown query with 400, and never with a 5xx', async () => {
    for (const { path, queryNames } of operations.filter(({ method }) => method === 'GET')) {
      expectClearRefusal(await send(`${inPath(path, 'x')}?surprise=1`), path, [400])
      for (const name of queryNames) {
        for (const value of badQueries) {
          const { status } = await send(`${inPath(path, 'x')}?${name}=${value}`)
          expect(status, `${path}?${name}=${value.slice(0, 40)}`).toBeLessThan(500)
          if (['cursor', 'limit', 'status', 'format', 'from', 'to'].includes(name))
            expect(status, `${path}?${name}=${value.slice(0, 40)}`).toBe(400)
        }
        expectClearRefusal(await send(`${inPath(path, 'x')}?${name}=a&${name}=b`), `${path}?${name} twice`, [400])
      }
    }
  })

  it('answers other methods with 405 and what would work, and unknown paths with 404', async () => {
    for (const { path, method } of operations) {
      for (const other of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', method === 'GET' ? 'POST' : 'GET']) {
        if (operations.some((operation) => operation.path === path && operation.method === other)) continue
        const response = await server.fetch(new Request(`http://localhost${inPath(path, 'x')}`, { method: other }))
        expect(response.status, `${other} ${path}`).toBe(405)
        expect(response.headers.get('allow'), `${other} ${path}`).toContain(method)
      }
    }
    for (const path of [
      '/',
      '/api',
      '/api/nothing',
      '/api/calls',
      '/api/calls/a/b',
      '//',
      '/api/../etc/passwd',
      '/%',
    ]) {
      expectClearRefusal(await send(path), path, [404])
    }
  })

  it('has changed nothing by all that, and answers as before', async () => {
    expect(await state()).toBe(stateBefore)
    expect((await server.get('/readyz')).body).toEqual({ ready: true })
    const { status } = await server.post('/api/tools/probe_echo/call', { input: { text: 'still here' } }, 'alice')
    expect(status).toBe(200)
  })
})

describe('an unexpected fault', () => {
  it('is a 500 that says nothing of the inside', async () => {
    const { runs } = server.context.gate.store
    const original = runs.get
    runs.get = () => Promise.reject(new Error('select * from secrets failed'))
    const answer = await server.get('/api/runs/x', 'alice')
    runs.get = original
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual({ error: { code: 'INTERNAL', message: 'Something went wrong in the server.' } })
  })
})
