import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { SetupError } from 'handrail'
import { readConfig } from './config/read-config.ts'
import { type ContextOptions, createContext, type ServerContext } from './context.ts'
import { createApp } from './http/app.ts'
import { welcome } from './welcome.ts'

const oldestNode = 22
/** How long open requests may take to end by themselves. */
const graceMs = 2_000

export interface StartOptions extends Omit<ContextOptions, 'config'> {
  /** Default: the process's own. */
  env?: NodeJS.ProcessEnv
  /** In place of `PORT`; 0 takes a free one. */
  port?: number
  /** Where people read what was started. Default: stdout. */
  print?: (text: string) => void
  /** Stops on SIGTERM and SIGINT. Default: true. */
  handleSignals?: boolean
}

export interface RunningServer {
  url: string
  context: ServerContext
  close(): Promise<void>
}

/**
 * Starts a server as its environment says: database, migrations, demo data in dev mode, sealer, runs, HTTP.
 *
 * @throws {SetupError} `NODE_TOO_OLD`, `BAD_ENVIRONMENT`, `PORT_IN_USE`, `PORT_UNUSABLE`, or what the database throws.
 * @example
 * const { url, close } = await startServer()
 */
export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  requireNode()
  const { env = process.env, port, print = console.log, handleSignals = true, ...parts } = options
  const config = readConfig(env)
  const context = await createContext({ ...parts, config })
  let listening: Listening
  try {
    listening = await listen(context, port ?? config.port)
  } catch (error) {
    await context.close()
    throw error
  }
  const url = urlOf(config.host, listening.port)

  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed ??= (async () => {
      const stopped = listening.stop()
      await context.close()
      await stopped
      for (const signal of stopSignals) process.off(signal, onSignal)
    })()
    return closed
  }
  // npm hands on a signal that the terminal has sent already: the second one is the same wish.
  const onSignal = (): void => {
    close().then(
      // A model that is still being asked must not keep the process.
      () => process.exit(0),
      (error: unknown) => {
        context.logger.error({ err: error }, 'the server did not stop cleanly')
        process.exit(1)
      },
    )
  }
  if (handleSignals) for (const signal of stopSignals) process.on(signal, onSignal)
  print(welcome(url, context))
  return { url, context, close }
}

const stopSignals = ['SIGTERM', 'SIGINT'] as const

interface Listening {
  port: number
  stop(): Promise<void>
}

function listen(context: ServerContext, wanted: number): Promise<Listening> {
  const { host } = context.config
  let port: number | undefined
  const app = createApp(context, { port: () => port })
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: host, port: wanted }, (address: AddressInfo) => {
      port = address.port
      resolve({
        port,
        stop: () =>
          new Promise((done) => {
            const cut = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), graceMs)
            server.close(() => {
              clearTimeout(cut)
              done()
            })
            if ('closeIdleConnections' in server) server.closeIdleConnections()
          }),
      })
    })
    server.once('error', (error: NodeJS.ErrnoException) => reject(portError(error, host, wanted)))
  })
}

function portError(error: NodeJS.ErrnoException, host: string, port: number): SetupError {
  if (error.code === 'EADDRINUSE') {
    const message = `Port ${port} on ${host} is taken. Stop what uses it, or set \`PORT\` to another one.`
    return new SetupError('PORT_IN_USE', message, { cause: error })
  }
  return new SetupError('PORT_UNUSABLE', `The server cannot listen on ${host}, port ${port} (${error.code}).`, {
    cause: error,
  })
}

function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

function requireNode(): void {
  const [major = '0'] = process.versions.node.split('.')
  if (Number(major) >= oldestNode) return
  throw new SetupError(
    'NODE_TOO_OLD',
    `Node ${oldestNode} or newer is needed, this is ${process.versions.node}. \`npm start\` brings its own.`,
  )
}
