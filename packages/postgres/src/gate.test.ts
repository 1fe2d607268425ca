import { sql } from 'drizzle-orm'
import { asAgent, createGate, defineTool, isAsking, newId, type Principal, type Tool } from 'handrail'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Db, rows } from './pack.ts'
import { openTestDatabase, type TestDatabase } from './testing/index.ts'
import { notes } from './testing/notes.ts'

type Services = { add(id: string): Promise<unknown> }

function noteTool(changes: Partial<Tool>): Tool {
  return {
    ...defineTool({
      name: 'add_note',
      category: 'note',
      kind: 'create',
      effect: 'transaction',
      description: 'Add a note.',
      inputSchema: z.strictObject({ id: z.string() }),
      execute: async ({ input, services }) => {
        await (services as Services).add(input.id) // what `services` below gives
        return { id: input.id }
      },
      examples: [],
    }),
    ...changes,
  }
}

/** The gate's promises where they are hard: many at once, on tables, in a workspace of each test's own. */
describe.each(['pglite', 'postgres'] as const)('the gate on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase({ engine, packs: [notes] })
  }, 60_000)
  afterAll(() => database?.close())

  function bench(changes: Partial<Tool> = {}) {
    const tenantId = `tenant-${newId()}`
    const alice: Principal = {
      tenantId,
      userId: 'alice',
      roles: ['owner'],
      actor: 'person',
      via: { door: 'test', credentialId: 'test' },
    }
    const gate = createGate<unknown, Db>({
      tools: [noteTool(changes)],
      roles: { owner: 'all' },
      services: ({ db }) => ({
        add: (id: string) => db.execute(sql`insert into notes.notes (tenant_id, id) values (${tenantId}, ${id})`),
      }),
      store: database,
      report: () => {},
    })
    const call = (id: string, idempotencyKey?: string) =>
      gate.call({
        name: 'add_note',
        input: { id },
        principal: asAgent(alice),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      })
    const written = () =>
      database.transaction(tenantId, async (db) =>
        (await rows<{ id: string }>(db, sql`select id from notes.notes order by id`)).map(({ id }) => id),
      )
    return { tenantId, alice, gate, call, written }
  }

  it('carries out one approval once under fifty decisions and resumes, with one outcome for all', async () => {
    const { alice, gate, call, written, tenantId } = bench({ approval: 'always' })
    const { result, record } = await call('a', 'key')
    if (!isAsking(result)) throw new Error('it did not ask')
    const { approvalId } = result
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0 ? gate.decide({ approvalId, decision: 'approve', principal: alice }) : call('a', 'key'),
      ),
    )
    for (const answer of answers) {
      if ('kind' in answer)
        expect(answer).toMatchObject({ kind: 'decided', call: { status: 'done', callId: record.callId } })
      else expect(['awaiting_approval', 'running', 'done']).toContain(answer.record.status)
    }
    expect(await written()).toEqual(['a'])
    const events = (await database.ledger.unsealed(tenantId)).map(({ event }) => event)
    expect(events).toEqual(['asked', 'decided', 'started', 'ended'])
    expect((await call('a', 'key')).record).toMatchObject({ status: 'done', callId: record.callId })
  }, 60_000)

  it('starts one of fifty calls with one key', async () => {
    const { call, written } = bench()
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => call('a', 'key')))
    expect(new Set(outcomes.map(({ record }) => record.callId)).size).toBe(1)
    expect(await written()).toEqual(['a'])
  }, 60_000)

  it('keeps a quota to the call under a hundred at once', async () => {
    const { call, written } = bench({ limits: { perHour: 30 } })
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, index) => call(`${index}`)))
    expect(outcomes.filter(({ result }) => result.success)).toHaveLength(30)
    expect(await written()).toHaveLength(30)
  }, 60_000)

  it('rolls back what a tool wrote before its deadline, and the next call works', async () => {
    let isFirst = true
    const { call, written } = bench({
      limits: { timeoutMs: 200 },
      async execute({ input, services }: { input: { id: string }; services: Services }) {
        await services.add(input.id)
        if (isFirst) {
          isFirst = false
          await new Promise(() => {})
        }
      },
    })
    expect((await call('late')).result).toMatchObject({ success: false, code: 'TIMEOUT' })
    expect((await call('next')).result.success).toBe(true)
    expect(await written()).toEqual(['next'])
  }, 60_000)

  it('ends a call at once whose tool swallows a failed statement, and keeps nothing of it', async () => {
    const { call, written, gate } = bench({
      async execute({ input, services }: { input: { id: string }; services: Services }) {
        await services.add(input.id)
        await services.add(input.id).catch(() => undefined)
        return 'fine'
      },
    })
    const { record, result } = await call('twice', 'key')
    expect(result).toMatchObject({ success: false, code: 'INTERNAL' })
    expect(record.status).toBe('failed')
    expect(await written()).toEqual([])
    expect((await call('twice', 'key')).record.status).toBe('failed')
    await gate.reconcile()
    expect(await written()).toEqual([])
  }, 60_000)
})
