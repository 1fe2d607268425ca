import { join } from 'node:path'
import { type Database, openDatabase } from '@handrail/postgres'
import { startTestPostgres } from '@handrail/postgres/testing'
import pg from 'pg'
import { chaosMigrations } from './chaos-pack.ts'
import type { Role } from './fleet.ts'
import type { ChaosOptions } from './options.ts'

/** Where the fleet's database is, and what can be done to it from outside. */
export interface Home {
  readonly kind: 'postgres' | 'embedded'
  readonly env: Record<string, string>
  readonly members: { name: string; role: Role }[]
  /** Opens it for the check, when the fleet has ended. */
  open(): Promise<Database>
  /** Ends some connections on the server's side. */
  cutConnections?(): Promise<void>
  /** Kills one of the server's processes with SIGKILL, upon which the whole server starts anew from its log. */
  crash?(): Promise<void>
  close(): Promise<void>
}

/** A Postgres server of its own, whose commits are on disk, with several processes on it. */
export async function postgresHome({ servers, workers }: ChaosOptions): Promise<Home> {
  const server = await startTestPostgres({ durable: true })
  const { url } = server
  const open = () => openDatabase({ url, migrations: [chaosMigrations] })
  await open().then((database) => database.close())

  async function administer<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url, application_name: 'nemesis' })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }
  const ours = `from pg_stat_activity where backend_type = 'client backend' and application_name = 'handrail'`

  return {
    kind: 'postgres',
    env: { CHAOS_URL: url },
    members: [
      ...Array.from({ length: servers }, (_, index) => ({ name: `server-${index + 1}`, role: 'server' as const })),
      ...Array.from({ length: workers }, (_, index) => ({ name: `worker-${index + 1}`, role: 'worker' as const })),
    ],
    open,
    async cutConnections() {
      await administer(`select pg_terminate_backend(pid) from (select pid ${ours} order by random() limit 4) some`)
    },
    async crash() {
      const [backend] = await administer<{ pid: number }>(`select pid ${ours} limit 1`)
      // A process of the server that this run started.
      if (backend) process.kill(backend.pid, 'SIGKILL')
    },
    close: () => server.stop(),
  }
}

/** A data folder, which one process owns. */
export async function embeddedHome(folder: string): Promise<Home> {
  const dataFolder = join(folder, 'data')
  const open = () => openDatabase({ dataFolder, migrations: [chaosMigrations] })
  await open().then((database) => database.close())
  return {
    kind: 'embedded',
    env: { CHAOS_DATA: dataFolder },
    members: [{ name: 'server-1', role: 'server' }],
    open,
    close: async () => {},
  }
}
