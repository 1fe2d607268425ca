import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { startTestPostgres, type TestPostgres } from '@handrail/postgres/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from './app.ts'

let postgres: TestPostgres
let pool: pg.Pool
let server: Server
let url: string

beforeAll(async () => {
  postgres = await startTestPostgres()
  pool = new pg.Pool({ connectionString: postgres.url })
  server = createServer(await createApp(pool)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})

afterAll(async () => {
  server.close()
  await pool.end()
  await postgres.stop()
})

async function post(path: string, user: string | undefined, body: unknown) {
  const headers = { 'content-type': 'application/json', ...(user ? { 'x-user': user } : {}) }
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.status === 401 ? 401 : response.json()
}

async function statusOf(id: string) {
  return (await pool.query('select status from invoices where id = $1', [id])).rows[0]?.status
}

describe('an application with its own tables', () => {
  it('lets a clerk read through a tool, and says no to a stranger', async () => {
    expect(await post('/assistant/tools/list_invoices', 'carl', { status: 'open' })).toMatchObject({
      success: true,
      data: [{ id: '2026-001' }, { id: '2026-002' }],
    })
    expect(await post('/assistant/tools/list_invoices', undefined, {})).toBe(401)
  })

  it('offers a person only the tools they may call', async () => {
    const response = await fetch(`${url}/assistant/tools`, { headers: { 'x-user': 'carl' } })
    expect((await response.json()).map((tool: { function: { name: string } }) => tool.function.name)).toEqual([
      'list_invoices',
    ])
    expect(await post('/assistant/tools/void_invoice', 'carl', { id: '2026-002' })).toMatchObject({
      success: false,
      code: 'UNKNOWN_TOOL',
    })
  })

  it('voids an invoice once the accountant approved it, and not again when they approve again', async () => {
    const asked = await post('/assistant/tools/void_invoice', 'ada', { id: '2026-001' })
    expect(asked).toMatchObject({ requiresConfirmation: true, preview: { customer: 'Miller' } })
    expect(await statusOf('2026-001')).toBe('open')

    const decisions = await Promise.all(
      [1, 2, 3].map(() => post(`/approvals/${asked.approvalId}`, 'ada', { approve: true })),
    )
    for (const decision of decisions)
      expect(decision).toMatchObject({
        kind: 'decided',
        call: { status: 'done', description: 'Voided invoice 2026-001' },
      })
    expect(await statusOf('2026-001')).toBe('void')
  })

  it('changes nothing when the accountant declines', async () => {
    const asked = await post('/assistant/tools/void_invoice', 'ada', { id: '2026-002' })
    expect(await post(`/approvals/${asked.approvalId}`, 'ada', { approve: false })).toMatchObject({
      call: { status: 'declined' },
    })
    expect(await statusOf('2026-002')).toBe('open')
  })

  it('tells the model what would work when it names an invoice that is not there', async () => {
    expect(await post('/assistant/tools/void_invoice', 'ada', { id: '1999-001' })).toMatchObject({
      code: 'NOT_FOUND',
      next: 'list_invoices shows the ids',
    })
  })
})
