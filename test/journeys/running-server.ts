import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestDatabase } from '@handrail/postgres/testing'
import { type RunningServer, type StartOptions, startServer } from '@handrail/server'
import type { ApprovalStatus, ToolCallRecord } from 'handrail'
import { ChatClient } from './chat-client.ts'

export interface TestServer {
  url: string
  server: RunningServer
  chat(user: string, id?: string): ChatClient
  /** A request as one of the demo people. */
  request(user: string, path: string, body?: unknown): Promise<{ status: number; body: unknown; text: string }>
  records(user: string, query?: string): Promise<ToolCallRecord[]>
  approvals(user: string): Promise<{ approvalId: string; callId: string; status: ApprovalStatus }[]>
  close(): Promise<void>
}

/**
 * A server as `npm start` makes it: a free port, its own data folder, where asked a real Postgres, and nothing replaced but
 * what `options` say.
 */
export async function startTestServer(
  engine: 'pglite' | 'postgres',
  options: Pick<StartOptions, 'packs'> = {},
): Promise<TestServer> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'handrail-journey-'))
  const database = engine === 'postgres' ? await openTestDatabase({ engine }) : undefined
  const env = { HANDRAIL_DATA: dataFolder, HANDRAIL_LOG: 'silent', DATABASE_URL: database?.url }
  const server = await startServer({ ...options, env, port: 0, print: () => {}, handleSignals: false })
  const { url } = server

  async function request(user: string, path: string, body?: unknown) {
    const headers = { 'x-handrail-user': user, 'content-type': 'application/json' }
    const answer = await fetch(url + path, {
      headers,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json')
    return { status: answer.status, body: isJson ? JSON.parse(text) : undefined, text }
  }

  return {
    url,
    server,
    request,
    chat: (user, id) => new ChatClient(url, user, id),
    records: async (user, query = '') => JSON.parse((await request(user, `/api/ledger?${query}`)).text).items,
    approvals: async (user) => JSON.parse((await request(user, '/api/approvals')).text).items,
    async close() {
      await server.close()
      await database?.close()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}
