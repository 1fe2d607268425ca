import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/index.ts'
import type { Engine } from './engine.ts'

describe('a connection that breaks', () => {
  let database: TestDatabase
  let engine: Engine
  const leave = 'select pg_terminate_backend(pg_backend_pid())'

  beforeAll(async () => {
    database = await openTestDatabase({ engine: 'postgres' })
    engine = database.engine
  })
  afterAll(async () => {
    await database.close()
  })

  it.each<[string, (engine: Engine) => Promise<unknown>]>([
    ['a statement of its own', ({ query }) => query({ text: leave })],
    ['a script', ({ script }) => script(leave)],
    ['exclusive work', ({ exclusively, query }) => exclusively('key', () => query({ text: leave }))],
    [
      'a transaction',
      async ({ begin }) => {
        const session = await begin('select 1', { readOnly: false })
        await session.query({ text: leave }).finally(() => session.rollback())
      },
    ],
  ])('in %s rejects that, ends no process, and is replaced', async (_, work) => {
    await expect(work(engine)).rejects.toThrow()
    const { rows } = await engine.query<{ one: number }>({ text: 'select 1 as one' })
    expect(rows).toEqual([{ one: 1 }])
  })

  it('may report an error whenever it likes, also after it was given back', async () => {
    const { driver } = engine
    if (driver.kind !== 'postgres') throw new Error('this is about a server')
    const session = await engine.begin('select 1', { readOnly: false })
    const client = await new Promise<NodeJS.EventEmitter>((resolve) => {
      driver.pool.once('release', (_error, released) => resolve(released))
      void session.query({ text: leave }).catch(() => session.rollback())
    })
    expect(client.listenerCount('error')).toBeGreaterThan(0)
    client.emit('error', new Error('read ECONNRESET'))
  })
})
