import type { RunDriver, RunRef } from 'handrail'
import { type Db, fromPglite, PgBoss } from 'pg-boss'
import type { Database } from './database.ts'
import type { Engine } from './engine/engine.ts'
import { requireOutside } from './transaction/outer-use.ts'

const queue = 'handrail-runs'

export interface PgBossDriverOptions {
  /** How many runs this process works on at once. Default 20. */
  concurrency?: number
  /** Told of failures that cost at most time: the reconciler derives every wake-up again from the rows. */
  onError?: (error: Error) => void
}

/**
 * Wakes runs through pg-boss, in any process on the database. A job says no more than *look at this run*: the run's
 * lease decides who works on it, so doubled jobs are harmless, and so are lost ones. pg-boss's own retries, heartbeats
 * and states carry no authority here.
 */
export function pgBossDriver(database: Database, options: PgBossDriverOptions = {}): RunDriver {
  const { engine } = database
  const report = options.onError ?? ((error: Error) => process.emitWarning(error))
  const onError = (error: unknown): void => report(asError(error))
  let opened: Promise<PgBoss> | undefined

  const open = (): Promise<PgBoss> => {
    opened ??= openBoss(engine, onError).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }

  const send = async (run: RunRef, key: string, startAfter?: Date): Promise<void> => {
    requireOutside(engine)
    const boss = await open()
    const job = { singletonKey: key, ...(startAfter && { startAfter }) }
    const data: RunRef = { tenantId: run.tenantId, runId: run.runId }
    await boss.send(queue, data, job).catch(async () => {
      // Somebody emptied pg-boss's tables.
      await createQueue(boss)
      await boss.send(queue, data, job)
    })
  }

  return {
    async start(handler) {
      const boss = await open()
      await createQueue(boss)
      const fetching = {
        localConcurrency: options.concurrency ?? 20,
        pollingIntervalSeconds: 0.5,
        notifyPollingIntervalSeconds: 2,
      }
      await boss.work<RunRef>(queue, fetching, async (jobs) => {
        for (const { data } of jobs) {
          await handler(data).catch((error: unknown) =>
            onError(error instanceof Error ? error : new Error(String(error))),
          )
        }
      })
    },
    wake: (run) => send(run, `${run.tenantId}:${run.runId}`),
    // A key of its own, or a wake-up in an hour would swallow one that is wanted now.
    wakeAt: (run, at) => send(run, `${run.tenantId}:${run.runId}:${at.getTime()}`, at),
    async stop() {
      const boss = await opened?.catch(() => undefined)
      opened = undefined
      await boss?.stop({ graceful: true, timeout: 5_000 })
    },
  }
}

async function openBoss(engine: Engine, onError: (error: unknown) => void): Promise<PgBoss> {
  const boss = new PgBoss({
    db: bossDatabase(engine),
    ...(engine.kind === 'pglite' && { backend: 'pglite' }),
    useListenNotify: true,
    schedule: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  })
  boss.on('error', onError)
  // Two servers that start at once on a new database would both make its tables.
  await engine.exclusively('handrail.queue', async () => {
    await boss.start()
    await createQueue(boss)
  })
  return boss
}

/** One job for a run waits at a time; one that is being worked on does not keep the next from waiting. */
async function createQueue(boss: PgBoss): Promise<void> {
  await boss.createQueue(queue, {
    policy: 'short',
    notify: true,
    retryLimit: 0,
    retentionSeconds: 86_400,
    deleteAfterSeconds: 600,
  })
}

/** pg-boss tells of errors as plain objects. */
function asError(error: unknown): Error {
  if (error instanceof Error) return error
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
  return new Error(message, { cause: error })
}

function bossDatabase({ driver, listen }: Engine): Db {
  if (driver.kind === 'pglite') return fromPglite(driver.pglite)
  return {
    executeSql: (text, values) => driver.pool.query(text, values),
    async listen(channel, onNotification, onReconnect) {
      return { close: await listen(channel, onNotification, onReconnect) }
    },
  }
}
