import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DevPerson } from '../auth/dev-principals.ts'
import { openTestServer, type TestServer } from '../testing/open-test-server.ts'
import { probe } from '../testing/probe-pack.ts'

const directory = new Map<string, DevPerson>()
let server: TestServer
let tests = 0
let workspace = ''

beforeAll(async () => {
  server = await openTestServer({ packs: [probe], directory })
})
beforeEach(() => {
  tests += 1
  workspace = `workspace-${tests}`
  directory.clear()
  for (const [name, roles] of [
    ['olga', ['owner']],
    ['max', ['member']],
    ['mia', ['member']],
    ['rita', ['reader']],
  ] as const) {
    directory.set(name, { workspace, roles })
  }
})
afterAll(() => server.close())

const ask = async (as = 'max') => {
  const { body } = await server.post('/api/tools/probe_act/call', { input: { note: 'as asked' } }, as)
  return {
    callId: body.callId,
    approvalId: body.approval.approvalId,
    path: `/api/approvals/${body.approval.approvalId}/decision`,
  }
}
const ledger = async () => (await server.get('/api/ledger?tool=probe_act', 'olga')).body.items

describe('GET /api/approvals', () => {
  it('shows whoever asked and whoever may decide everything that would run, and nobody else anything', async () => {
    const { approvalId, callId } = await ask()
    const { body } = await server.get('/api/approvals?status=pending', 'max')
    expect(body.items).toMatchObject([
      {
        approvalId,
        callId,
        pack: 'probe',
        toolName: 'probe_act',
        input: { note: 'as asked' },
        status: 'pending',
        approvers: { rule: 'requester' },
        requestedBy: { userId: 'max', actor: 'person', door: 'http' },
        mayDecide: true,
        decideBy: expect.any(String),
      },
    ])
    expect(JSON.stringify(body)).not.toMatch(/digest|salt|tenantId/)
    expect((await server.get('/api/approvals', 'olga')).body.items).toHaveLength(1)
    expect((await server.get('/api/approvals', 'mia')).body.items).toEqual([])
    expect((await server.get('/api/approvals?status=used', 'max')).body.items).toEqual([])
  })

  it('is paged by cursor', async () => {
    for (let n = 0; n < 3; n++) await ask()
    const first = await server.get('/api/approvals?limit=2', 'max')
    const second = await server.get(`/api/approvals?limit=2&cursor=${first.body.nextCursor}`, 'max')
    expect([first.body.items.length, second.body.items.length, second.body.nextCursor]).toEqual([2, 1, undefined])
  })
})

describe('POST /api/approvals/:id/decision', () => {
  it('runs the call once, and gives the same answer to the same decision again', async () => {
    const { path, callId } = await ask()
    const first = await server.post(path, { decision: 'approve', reason: 'looks right' }, 'max')
    expect(first).toMatchObject({
      status: 200,
      body: {
        approval: {
          status: 'used',
          decision: { decision: 'approve', by: 'max', reason: 'looks right', edited: false },
        },
        call: { callId, status: 'done', result: { success: true, data: { acted: 'as asked' } } },
      },
    })
    const again = await server.post(path, { decision: 'approve' }, 'max')
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await ledger()).toHaveLength(1)
  })

  it('answers 409 with the first decision to another one, or to the same one by another person', async () => {
    const { path } = await ask()
    await server.post(path, { decision: 'decline', reason: 'no' }, 'max')
    for (const [decision, as] of [
      ['approve', 'max'],
      ['decline', 'olga'],
    ] as const) {
      expect(await server.post(path, { decision }, as)).toMatchObject({
        status: 409,
        body: {
          error: { code: 'CONFLICT' },
          approval: { status: 'declined', decision: { decision: 'decline', by: 'max', reason: 'no' } },
          call: { status: 'declined', result: { code: 'DECLINED' } },
        },
      })
    }
  })

  it('is refused to whoever may not decide, and changes nothing', async () => {
    const { path } = await ask()
    for (const as of ['mia', 'rita']) {
      expect(await server.post(path, { decision: 'approve' }, as)).toMatchObject({
        status: 403,
        body: { error: { code: 'FORBIDDEN' } },
      })
    }
    expect(await ledger()).toMatchObject([{ status: 'awaiting_approval' }])
  })

  it('runs the arguments as the person changed them, and refuses ones that do not fit', async () => {
    const { path } = await ask()
    const bad = await server.post(path, { decision: 'approve', input: { note: 7 } }, 'max')
    expect(bad).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION' } } })
    expect((await server.post(path, { decision: 'decline', input: {} }, 'max')).status).toBe(400)
    const edited = await server.post(path, { decision: 'approve', input: { note: 'as changed' } }, 'max')
    expect(edited.body).toMatchObject({
      approval: { input: { note: 'as changed' }, decision: { edited: true } },
      call: { status: 'done', result: { data: { acted: 'as changed' } } },
    })
  })

  it('does not run what its requester may no longer do', async () => {
    const { path } = await ask()
    directory.set('max', { workspace, roles: ['reader'] })
    const { status, body } = await server.post(path, { decision: 'approve' }, 'olga')
    expect(status).toBe(200)
    expect(body.call).toMatchObject({ status: 'refused', result: { code: 'FORBIDDEN' } })
  })

  it('does not run what somebody asked for who is gone', async () => {
    const { path } = await ask()
    directory.delete('max')
    expect((await server.post(path, { decision: 'approve' }, 'olga')).body.call.status).toBe('refused')
  })

  it('answers an expired one with 409', async () => {
    const short = await openTestServer({ packs: [probe], gateLimits: { decideWithinMs: 1 } })
    const { body } = await short.post('/api/tools/probe_act/call', { input: {} }, 'alice')
    await expect
      .poll(() => short.post(`/api/approvals/${body.approval.approvalId}/decision`, { decision: 'approve' }, 'alice'))
      .toMatchObject({
        status: 409,
        body: { error: { code: 'EXPIRED' }, approval: { status: 'expired' }, call: { status: 'expired' } },
      })
    await short.close()
  })

  it('runs once for 50 decisions at the same time through two doors, with one outcome for all', async () => {
    const { path, callId } = await ask()
    const decide = () => server.post(path, { decision: 'approve' }, 'max')
    const look = () => server.get(`/api/calls/${callId}`, 'max')
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => (n % 5 === 4 ? look() : decide())))
    const decided = answers.filter(({ body }) => body.approval?.decision)
    expect(decided).toHaveLength(40)
    expect(new Set(decided.map(({ status, body }) => JSON.stringify([status, body.call])))).toHaveProperty('size', 1)
    expect(decided[0]).toMatchObject({ status: 200, body: { call: { status: 'done' } } })
    expect(await ledger()).toHaveLength(1)
  })
})
