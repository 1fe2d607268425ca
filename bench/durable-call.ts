import { randomBytes, randomUUID } from 'node:crypto'
import { postgresStore, type QueryClient } from '@handrail/postgres'
import { startTestPostgres } from '@handrail/postgres/testing'
import { createGate, toolFactory } from 'handrail'
import pg from 'pg'
import { z } from 'zod'
import { measure, printTable, ratio } from './measure.ts'
import { noLimits, principal } from './same-tool.ts'

const callsPerRound = 100
/** Does not compress: what repeats would hide the bytes that are written. */
const note = randomBytes(1_500).toString('base64')

/** A call whose effect commits with its record, beside two bare transactions that insert, and insert and update, as much. */
export async function durableCall(rounds: number): Promise<void> {
  const server = await startTestPostgres({ durable: true })
  const pool = new pg.Pool({ connectionString: server.url, max: 4, pipeline: true })
  try {
    await pool.query('create schema bench')
    await pool.query('create table bench.notes (note_id uuid primary key, note text not null)')
    await pool.query('create table bench.calls (call_id uuid primary key, input jsonb not null, result jsonb)')
    const store = await postgresStore({ pool, handle: 'client' })
    const gate = createGate({
      tools: [addNote],
      roles: { owner: 'all' },
      limits: noLimits,
      store,
      services: ({ db }: { db: QueryClient }) => ({ db }),
    })
    const [bare, durable] = await measure(
      [
        { name: 'two bare transactions', work: () => repeat(() => bareCall(pool)) },
        {
          name: 'durable call',
          work: () =>
            repeat(async () => {
              const { record } = await gate.call({ name: 'add_note', input: { note }, principal })
              if (record.status !== 'done') throw new Error(JSON.stringify(record))
            }),
        },
      ],
      rounds,
    )
    const bareBytes = await walBytes(pool, () => repeat(() => bareCall(pool)))
    const durableBytes = await walBytes(pool, () =>
      repeat(() => gate.call({ name: 'add_note', input: { note }, principal })),
    )
    printTable(
      'One durable call, Postgres with fsync, a 2 kB note',
      ['', 'ms per call', 'beside bare', 'WAL bytes', 'beside bare'],
      [
        [bare?.name ?? '', ((bare?.median ?? 0) / 1000).toFixed(2), '', String(bareBytes), ''],
        [
          durable?.name ?? '',
          ((durable?.median ?? 0) / 1000).toFixed(2),
          ratio(durable, bare),
          String(durableBytes),
          `${(durableBytes / bareBytes).toFixed(2)}×`,
        ],
      ],
    )
    await store.close()
  } finally {
    await pool.end()
    await server.stop()
  }
}

const addNote = toolFactory<{ readers: { db: QueryClient }; writers: { db: QueryClient } }>()({
  name: 'add_note',
  category: 'bench',
  kind: 'create',
  effect: 'transaction',
  untrusted: false,
  description: 'Add a note.',
  inputSchema: z.strictObject({ note: z.string() }),
  async execute({ input, services }) {
    await services.db.query('insert into bench.notes values ($1, $2)', [randomUUID(), input.note])
    return { added: true }
  },
  examples: [],
})

async function bareCall(pool: pg.Pool): Promise<void> {
  const callId = randomUUID()
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('insert into bench.calls (call_id, input) values ($1, $2)', [callId, JSON.stringify({ note })])
    await client.query('commit')
    await client.query('begin')
    await client.query('insert into bench.notes values ($1, $2)', [randomUUID(), note])
    await client.query('update bench.calls set result = $2 where call_id = $1', [callId, '{"added":true}'])
    await client.query('commit')
  } finally {
    client.release()
  }
}

async function repeat(work: () => Promise<unknown>): Promise<number> {
  for (let index = 0; index < callsPerRound; index++) await work()
  return callsPerRound
}

async function walBytes(pool: pg.Pool, work: () => Promise<number>): Promise<number> {
  const position = async () =>
    (await pool.query<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn')).rows[0]?.lsn
  // A checkpoint first: full page images would count against whoever touches a page first.
  await pool.query('checkpoint')
  await work()
  const before = await position()
  const calls = await work()
  const { rows } = await pool.query<{ bytes: string }>('select pg_wal_lsn_diff($1, $2) as bytes', [
    await position(),
    before,
  ])
  return Math.round(Number(rows[0]?.bytes) / calls)
}
