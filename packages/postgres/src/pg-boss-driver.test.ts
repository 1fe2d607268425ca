import { randomUUID } from 'node:crypto'
import type { RunRef } from 'handrail'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pgBossDriver } from './pg-boss-driver.ts'
import { openTestDatabase, type TestDatabase } from './testing/index.ts'

const aRun = (): RunRef => ({ tenantId: 'acme', runId: randomUUID() })

/** Collects the runs that were woken, and waits for a count of them. */
function recorder() {
  const woken: string[] = []
  let arrived = Promise.withResolvers<void>()
  return {
    woken,
    handler: async (run: RunRef) => {
      woken.push(run.runId)
      arrived.resolve()
    },
    async until(isEnough: () => boolean) {
      while (!isEnough()) {
        await arrived.promise
        arrived = Promise.withResolvers<void>()
      }
    },
  }
}

describe.each(['pglite', 'postgres'] as const)('pg-boss driver on %s', { timeout: 30_000 }, (engine) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await openTestDatabase({ engine })
  }, 30_000)
  afterEach(() => database.close(), 30_000)

  it('wakes a run that was woken before any worker started, and one after', async () => {
    const driver = pgBossDriver(database)
    const { handler, woken, until } = recorder()
    const [before, after] = [aRun(), aRun()]
    await driver.wake(before)
    await driver.start(handler)
    await driver.wake(after)
    await until(() => woken.length >= 2)
    expect(new Set(woken)).toEqual(new Set([before.runId, after.runId]))
    await driver.stop()
  })

  it('collapses wake-ups that nobody has taken yet', async () => {
    const driver = pgBossDriver(database)
    const { handler, woken, until } = recorder()
    const [often, last] = [aRun(), aRun()]
    for (let times = 0; times < 5; times += 1) await driver.wake(often)
    await driver.start(handler)
    await driver.wake(last)
    await until(() => woken.includes(last.runId) && woken.includes(often.runId))
    await driver.stop()
    expect(woken.filter((runId) => runId === often.runId)).toHaveLength(1)
  })

  it('wakes again while the same run is being worked on', async () => {
    const driver = pgBossDriver(database)
    const run = aRun()
    const inside = Promise.withResolvers<void>()
    const again = Promise.withResolvers<void>()
    let times = 0
    await driver.start(async () => {
      times += 1
      if (times > 1) return again.resolve()
      inside.resolve()
      await again.promise
    })
    await driver.wake(run)
    await inside.promise
    await driver.wake(run)
    await again.promise
    await driver.stop()
    expect(times).toBe(2)
  })

  it('does not let a wake-up for later swallow one for now', async () => {
    const driver = pgBossDriver(database)
    const { handler, woken, until } = recorder()
    const run = aRun()
    await driver.wakeAt(run, new Date(Date.now() + 3_600_000))
    await driver.start(handler)
    await driver.wake(run)
    await until(() => woken.length === 1)
    await driver.stop()
  })

  it('wakes at a time that has come', async () => {
    const driver = pgBossDriver(database)
    const { handler, woken, until } = recorder()
    await driver.start(handler)
    await driver.wakeAt(aRun(), new Date(Date.now() - 1_000))
    await until(() => woken.length === 1)
    await driver.stop()
  })

  it('goes on when every row of the queue is deleted in the middle', async () => {
    const driver = pgBossDriver(database)
    const { handler, woken, until } = recorder()
    await driver.wake(aRun())
    await database.engine.script('DELETE FROM pgboss.job; DELETE FROM pgboss.queue')
    await driver.start(handler)
    const run = aRun()
    await driver.wake(run)
    await until(() => woken.includes(run.runId))
    await driver.stop()
  })

  it('goes on when a handler throws', async () => {
    const errors: Error[] = []
    const driver = pgBossDriver(database, { onError: (error) => errors.push(error) })
    const { handler, woken, until } = recorder()
    const [bad, good] = [aRun(), aRun()]
    await driver.start(async (run) => (run.runId === bad.runId ? Promise.reject(new Error('no model')) : handler(run)))
    await driver.wake(bad)
    await driver.wake(good)
    await until(() => woken.includes(good.runId))
    await driver.stop()
    expect(errors.map(({ message }) => message)).toEqual(['no model'])
  })

  it('refuses to be used inside a handed transaction', async () => {
    const driver = pgBossDriver(database)
    const inside = database.transaction('acme', () => driver.wake(aRun()))
    await expect(inside).rejects.toMatchObject({ code: 'OUTER_DATABASE_IN_TRANSACTION' })
  })
})
