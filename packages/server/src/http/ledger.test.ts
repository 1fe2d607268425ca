import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../testing/open-test-server.ts'
import { probe } from '../testing/probe-pack.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({ packs: [probe] })
  for (const [as, text] of [
    ['alice', 'one'],
    ['bob', 'two'],
    ['carol', 'three'],
  ] as const) {
    await server.post('/api/tools/probe_echo/call', { input: { text } }, as)
  }
  await server.post('/api/tools/probe_fails/call', { input: { code: 'CONFLICT' } }, 'bob')
  await server.post('/api/tools/%3DHYPERLINK(1)/call', { input: {} }, 'bob')
})
afterAll(() => server.close())

const users = async (query: string, as: string) =>
  (await server.get(`/api/ledger${query}`, as)).body.items.map(
    (call: { principal: { userId: string } }) => call.principal.userId,
  )

describe('GET /api/ledger', () => {
  it('shows owners and members every call, newest first, and a reader their own', async () => {
    expect(await users('', 'alice')).toEqual(['bob', 'bob', 'carol', 'bob', 'alice'])
    expect(await users('', 'bob')).toHaveLength(5)
    expect(await users('', 'carol')).toEqual(['carol'])
    expect(await users('?user=alice', 'carol')).toEqual([])
  })

  it('is filtered by person, tool, status and time', async () => {
    expect(await users('?user=bob', 'alice')).toEqual(['bob', 'bob', 'bob'])
    expect(await users('?tool=probe_echo&status=done', 'alice')).toEqual(['carol', 'bob', 'alice'])
    expect(await users('?status=failed', 'alice')).toEqual(['bob', 'bob'])
    expect(await users('?from=2999-01-01', 'alice')).toEqual([])
    expect(await users('?to=2999-01-01T00:00:00Z&from=2000-01-01', 'alice')).toHaveLength(5)
  })

  it.each(['/api/ledger', '/api/ledger.csv'])('%s answers 400 to a moment that no calendar has', async (path) => {
    for (const moment of ['0000-01-01T00:00:00Z', '0000-12-31', 'yesterday', '2026-13-01']) {
      expect((await server.get(`${path}?to=${moment}`, 'alice')).status).toBe(400)
    }
  })

  it('is paged by cursor, without a call lost or doubled', async () => {
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await server.get(`/api/ledger?limit=2${cursor && `&cursor=${cursor}`}`, 'alice')
      seen.push(...body.items.map(({ callId }: { callId: string }) => callId))
      cursor = body.nextCursor ?? ''
    } while (cursor !== '')
    expect(new Set(seen).size).toBe(5)
    expect(seen).toHaveLength(5)
  })
})

describe('GET /api/ledger.csv', () => {
  it('is a table in which no cell is a formula', async () => {
    const { headers, body } = await server.get('/api/ledger.csv', 'alice')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const lines = body.trim().split('\r\n')
    expect(lines).toHaveLength(6)
    expect(lines[0]).toBe(
      'callId,pack,toolName,kind,risk,status,description,userId,actor,door,runId,approvalId,executedAt,durationMs,code',
    )
    expect(body).not.toMatch(/(^|,)"?[=+@-]/m)
    expect((await server.get('/api/ledger.csv?user=alice', 'carol')).body.trim().split('\r\n')).toHaveLength(1)
  })
})

describe('GET /api/ledger/verify', () => {
  it('finds the record intact against the anchor kept outside, and says what is not sealed yet', async () => {
    await server.context.sealer.sealNow()
    const { body } = await server.get('/api/ledger/verify', 'alice')
    expect(body).toMatchObject({ intact: true, unsealed: 0, problems: [], head: body.anchor })
    expect(body.sealed).toBeGreaterThan(0)
  })

  it('is refused to a reader', async () => {
    expect((await server.get('/api/ledger/verify', 'carol')).status).toBe(403)
  })

  it('names what was changed behind its back', async () => {
    await server.context.sealer.sealNow()
    const { engine } = server.context.database
    const session = await engine.begin(`SET LOCAL handrail.tenant TO '*'`, { readOnly: false })
    await session.query({
      text: `update handrail.calls set status = 'done' where status = 'failed' and tool_name = 'probe_fails'`,
    })
    await session.commit()
    const { body } = await server.get('/api/ledger/verify', 'alice')
    expect(body.intact).toBe(false)
    expect(body.problems).toMatchObject([{ kind: 'edited', callId: expect.any(String) }])
  })
})
