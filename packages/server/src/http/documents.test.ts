import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../testing/open-test-server.ts'
import { probe } from '../testing/probe-pack.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({ packs: [probe] })
})
afterAll(() => server.close())

describe('GET /openapi.json', () => {
  it('describes requests and answers with real schemas', async () => {
    const { body } = await server.get('/openapi.json')
    expect(body.openapi).toBe('3.1.0')
    const decision = body.paths['/api/approvals/{id}/decision'].post
    expect(decision.requestBody.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Decision' })
    expect(Object.keys(decision.responses).sort()).toEqual(['200', '400', '401', '403', '404', '409', '500'])
    expect(body.components.schemas.ToolCallRecord.properties.status.enum).toContain('awaiting_approval')
    expect(body.components.schemas.Decision).toMatchObject({ required: ['decision'], additionalProperties: false })
  })
})

describe('GET /docs', () => {
  it('shows every route on one page that loads and runs nothing', async () => {
    const { headers, body } = await server.get('/docs')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/)
    const { body: document } = await server.get('/openapi.json')
    for (const path of Object.keys(document.paths)) expect(body).toContain(`<code>${path}</code>`)
    expect(body).not.toMatch(/<script|<link|src=|https?:\/\//)
  })
})

describe('GET /metrics', () => {
  it('counts calls and what waits, without a name in it', async () => {
    await server.post('/api/tools/probe_echo/call', { input: { text: 'a' } }, 'alice')
    await server.post('/api/tools/probe_act/call', { input: {} }, 'alice')
    const { headers, body } = await server.get('/metrics')
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(body).toContain('handrail_calls{status="done"} 1\n')
    expect(body).toContain('handrail_calls{status="awaiting_approval"} 1\n')
    expect(body).toContain('handrail_approvals_waiting 1\n')
    expect(body).not.toMatch(/acme|alice/)
  })
})
