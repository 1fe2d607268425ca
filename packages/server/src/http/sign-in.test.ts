import type { Principal } from 'handrail'
import { describe, expect, it } from 'vitest'
import { openTestServer } from '../testing/open-test-server.ts'
import { probe } from '../testing/probe-pack.ts'

const env = { HANDRAIL_SECRET: 'a secret that has thirty-two characters at least' }
const ann: Principal = {
  tenantId: 'acme',
  userId: 'ann',
  roles: ['owner'],
  actor: 'person',
  via: { door: 'http', credentialId: 'session-1' },
}

describe('with a secret', () => {
  it('lets nobody in, the demo people least of all, and seeds nothing', async () => {
    const server = await openTestServer({ packs: [probe], env })
    expect((await server.get('/api/packs')).status).toBe(401)
    expect(await server.get('/api/packs', 'alice')).toMatchObject({
      status: 401,
      body: { error: { code: 'UNAUTHENTICATED' } },
    })
    expect((await server.get('/healthz')).status).toBe(200)
    expect(server.context.isDevMode).toBe(false)
    await server.close()
  })

  it('knows the people of the host application, and takes the demo header from nobody', async () => {
    const resolvePrincipal = (request: Request) => (request.headers.get('cookie') === 'session=ann' ? ann : undefined)
    const server = await openTestServer({ packs: [probe], env, people: { resolvePrincipal } })
    const call = (headers: Record<string, string>) =>
      server.post('/api/tools/probe_echo/call', { input: { text: 'hi' } }, undefined, headers)
    expect(await call({ cookie: 'session=ann' })).toMatchObject({ status: 200, body: { principal: { userId: 'ann' } } })
    expect((await call({ cookie: 'session=eve' })).status).toBe(401)
    expect((await call({ cookie: 'session=ann', 'x-handrail-user': 'alice' })).status).toBe(401)
    expect((await call({ cookie: 'session=ann', 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    await server.close()
  })

  it('asks the host application again before it runs what was approved', async () => {
    let roles: readonly string[] = ['owner']
    const server = await openTestServer({
      packs: [probe],
      env,
      people: { resolvePrincipal: () => ann, currentPrincipal: (principal) => ({ ...principal, roles }) },
    })
    const { body } = await server.post('/api/tools/probe_act/call', { input: {} })
    roles = ['reader']
    const decided = await server.post(`/api/approvals/${body.approval.approvalId}/decision`, { decision: 'approve' })
    expect(decided.body.call).toMatchObject({ status: 'refused', result: { code: 'FORBIDDEN' } })
    await server.close()
  })
})

describe('in dev mode', () => {
  it('refuses a page of another site', async () => {
    const server = await openTestServer({ packs: [probe] })
    const answer = await server.post('/api/tools/probe_echo/call', { input: { text: 'hi' } }, 'alice', {
      origin: 'https://evil.example',
    })
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
    await server.close()
  })
})
