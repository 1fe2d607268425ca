import { join } from 'node:path'
import { type Database, openDatabase, pgBossDriver } from '@handrail/postgres'
import type { LanguageModel } from 'ai'
import {
  createGate,
  createRunEngine,
  type Gate,
  type GateLimits,
  memoryDriver,
  type Pack,
  type Policy,
  type RunEngine,
  type RunLimits,
  type Sealer,
  startSealer,
} from 'handrail'
import { type DevDirectory, demoDirectory, devPrincipals } from './auth/dev-principals.ts'
import { type HostPrincipals, hostPrincipals, nobody, type Principals } from './auth/principals.ts'
import type { ServerConfig } from './config/read-config.ts'
import { type DemoScopes, seedDemo } from './demo/seed-demo.ts'
import { announcingStore } from './events/announcing-store.ts'
import { installedPacks } from './installed-packs.ts'
import { createLogger, type Logger, reportTo } from './logger.ts'
import { type ChosenModel, chooseModel } from './models/choose-model.ts'
import { type Anchors, anchorsInFolder } from './sealing/anchors.ts'
import { sealKey } from './sealing/seal-key.ts'

/** How long a run may take to come to the end of its step when the server stops. */
const stopMs = 5_000

export interface ContextOptions {
  config: ServerConfig
  /** Default: GamePlan. */
  packs?: readonly Pack[]
  /** Who is who, from the host application's own sign-in. Default: the demo people, in dev mode only. */
  people?: HostPrincipals
  /** Dev mode's people. */
  directory?: DevDirectory
  /** In place of the model that the environment names. */
  model?: LanguageModel
  policy?: Policy | readonly Policy[]
  gateLimits?: Partial<GateLimits>
  runLimits?: Partial<RunLimits>
  /** In place of the database that the configuration names; closed with the context. */
  database?: Database
  logger?: Logger
}

/** Everything a server consists of, without a port. */
export interface ServerContext {
  config: ServerConfig
  isDevMode: boolean
  packs: readonly Pack[]
  database: Database
  gate: Gate<never>
  engine: RunEngine
  sealer: Sealer
  sealKey: Buffer
  anchors: Anchors
  principals: Principals
  demoScope: DemoScopes
  model: ChosenModel
  logger: Logger
  /** Aborted when the server begins to stop: what streams without an end ends then. */
  closing: AbortSignal
  /** Hands over runs, seals what stands, and closes the database. */
  close(): Promise<void>
}

/**
 * Puts the server together: the only place where its parts meet.
 *
 * @throws {SetupError} what the database, the seal key or a migration throws
 */
export async function createContext(options: ContextOptions): Promise<ServerContext> {
  const { config } = options
  const logger = options.logger ?? createLogger(config.logLevel)
  const packs = options.packs ?? installedPacks
  const isDevMode = config.secret === undefined && options.people === undefined
  const directory = options.directory ?? demoDirectory
  const principals = options.people ? hostPrincipals(options.people) : isDevMode ? devPrincipals(directory) : nobody

  const opened = options.database ?? (await openConfigured(config))
  try {
    for (const { storage } of packs) if (storage) await opened.migratePack(storage)
    const database = announcingStore(opened)
    const demoScope = isDevMode ? await seedDemo(database, packs, directory) : () => undefined
    const key = sealKey(config.secret, config.dataFolder)
    const anchors = anchorsInFolder(config.dataFolder)
    const report = reportTo(logger)
    const { policy, gateLimits, runLimits } = options
    const gate = createGate<never>({
      packs,
      store: database,
      currentPrincipal: (principal) => principals.current(principal),
      report,
      ...(policy && { policy }),
      ...(gateLimits && { limits: gateLimits }),
    })
    const model: ChosenModel = options.model
      ? { model: options.model, label: 'a model of the application', isOffline: false }
      : chooseModel(config.model, packs)
    const onError = (error: Error): void =>
      logger.warn({ err: error }, 'the queue could not be used; runs are woken from their rows')
    const engine = createRunEngine({
      gate,
      model: model.model,
      // A test's database lives too shortly for a queue.
      driver: options.database ? memoryDriver() : pgBossDriver(database, { onError }),
      report,
      ...(runLimits && { limits: runLimits }),
    })
    await engine.start()
    const sealer = startSealer(database, key, {
      onSealed: (seal) => anchors.keep(seal),
      onError: (error) => logger.error({ err: error }, 'the ledger could not be sealed; it is tried again'),
    })
    const closing = new AbortController()
    return {
      config,
      isDevMode,
      packs,
      database,
      gate,
      engine,
      sealer,
      sealKey: key,
      anchors,
      principals,
      demoScope,
      model,
      logger,
      closing: closing.signal,
      async close() {
        closing.abort()
        await endsWithin(stopMs, engine.stop(), () =>
          logger.warn('a run is still being answered; another process takes it up when its lease has run out'),
        )
        await sealer.stop().catch((error: unknown) => logger.error({ err: error }, 'the last entries were not sealed'))
        await database.close()
      },
    }
  } catch (error) {
    await opened.close().catch(() => {})
    throw error
  }
}

/** Waits for work to end, but no longer than this. */
async function endsWithin(ms: number, work: Promise<void>, onLate: () => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      onLate()
      resolve()
    }, ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function openConfigured({ databaseUrl, dataFolder }: ServerConfig): Promise<Database> {
  return openDatabase(databaseUrl ? { url: databaseUrl } : { dataFolder: join(dataFolder, 'postgres') })
}
