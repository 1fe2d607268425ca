import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gameplan } from '@handrail/pack-gameplan'
import { openTestDatabase } from '@handrail/postgres/testing'
import { readConfig } from '../config/read-config.ts'
import { type ContextOptions, createContext, type ServerContext } from '../context.ts'
import { createApp } from '../http/app.ts'
import { probe } from './probe-pack.ts'

export interface TestServer {
  context: ServerContext
  /** Answers as if it had come over the network. */
  fetch: (request: Request) => Promise<Response>
  get(path: string, as?: string): Promise<Answer>
  post(path: string, body: unknown, as?: string, headers?: Record<string, string>): Promise<Answer>
  close(): Promise<void>
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any // JSON of any shape, looked into by tests
}

export interface TestServerOptions extends Partial<Omit<ContextOptions, 'config' | 'database'>> {
  env?: NodeJS.ProcessEnv
}

const origin = 'http://localhost'

/** A whole server in dev mode, in memory: embedded database, GamePlan with its demo, and tools that end in every way. */
export async function openTestServer({ env = {}, ...options }: TestServerOptions = {}): Promise<TestServer> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'handrail-server-'))
  const packs = options.packs ?? [gameplan, probe]
  const storages = packs.flatMap(({ storage }) => (storage ? [storage] : []))
  const database = await openTestDatabase({ engine: 'pglite', packs: storages })
  const config = readConfig({ HANDRAIL_DATA: dataFolder, HANDRAIL_LOG: 'silent', ...env })
  const context = await createContext({ ...options, packs, config, database })
  const app = createApp(context)
  const fetch = async (request: Request): Promise<Response> => app.fetch(request)
  const answer = async (request: Request): Promise<Answer> => {
    const response = await fetch(request)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }
  const person = (as: string | undefined): Record<string, string> => (as === undefined ? {} : { 'x-handrail-user': as })
  return {
    context,
    fetch,
    get: (path, as) => answer(new Request(`${origin}${path}`, { headers: person(as) })),
    post: (path, body, as, headers = {}) =>
      answer(
        new Request(`${origin}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...person(as), ...headers },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      ),
    async close() {
      await context.close()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}
