import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import type { Db } from '@handrail/postgres/pack'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { type Principal, type Scope, type Tool, ToolError, type ToolExample } from 'handrail'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../demo.ts'
import { gameplan } from '../pack.ts'

/**
 * The first wall alone: a superuser's connection, for which row-level security does not hold. What keeps workspaces
 * apart here is the services' own filter.
 */
let client: PGlite
let db: Db
let demo: { ids: Demo; scope: Scope }

const principalOf = (tenantId: string): Principal => ({
  tenantId,
  userId: tenantId,
  roles: ['owner'],
  actor: 'person',
  via: { door: 'test', credentialId: 'test' },
})

beforeAll(async () => {
  client = await PGlite.create()
  const database = drizzle(client)
  await migrate(database, { migrationsFolder: fileURLToPath(new URL('../db/migrations', import.meta.url)) })
  db = database as unknown as Db // the two drivers' types differ in raw results only, which services do not use
  const filled = await gameplan.demo?.({ db, principal: principalOf('acme'), scope: {} })
  if (!filled) throw new Error('GamePlan has no demo data')
  demo = { ids: filled.ids as Demo, scope: filled.scope } // the erased pack does not know its demo's type
})
afterAll(() => client.close())

/** What a stranger gets from a tool, its rules and its preview passed over. */
async function callAs(tenantId: string, tool: Tool, input: unknown, scope: Scope): Promise<unknown> {
  const context = { db, principal: principalOf(tenantId), scope }
  const services = tool.kind === 'read' ? gameplan.services.readers(context) : gameplan.services.writers(context)
  const parsed = { input: tool.inputSchema.parse(input) as never, services: services as never } // the erased tool knows neither
  const rest = { signal: new AbortController().signal, logger: console, progress: () => {}, idempotencyKey: 'key' }
  const call = { id: 'call', pack: 'gameplan', toolName: tool.name, attempt: 1 }
  return tool.execute({ ...context, ...rest, ...parsed, call })
}

async function snapshot(): Promise<unknown> {
  const { rows } = await client.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'gameplan' order by 1",
  )
  const tables: unknown[] = []
  for (const { name } of rows) {
    tables.push(
      (await client.query(`select * from gameplan."${name}" t where tenant_id = 'acme' order by t::text`)).rows,
    )
  }
  return tables
}

/** These look at the whole workspace or make something new in it. */
const workspaceTools = ['list_projects', 'create_project']

describe('without row-level security', () => {
  for (const tool of gameplan.tools.filter((one) => !workspaceTools.includes(one.name))) {
    const examples = tool.examples.filter((example) => example.gives !== undefined) as ToolExample<Demo>[] // as above
    it(`${tool.name} does not find another workspace's things, and changes nothing there`, async () => {
      const before = await snapshot()
      for (const example of examples) {
        for (const scope of [demo.scope, { projectId: demo.ids.otherProject }, {}]) {
          const outcome = await callAs('other', tool, example.input(demo.ids), scope).catch((error: unknown) => error)
          expect(outcome).toBeInstanceOf(ToolError)
          const code = outcome instanceof ToolError ? outcome.code : undefined
          // Without a project in scope or input there is nothing to find; a named one may contradict the scope.
          expect(['NOT_FOUND', ...(scope.projectId === undefined ? ['VALIDATION'] : ['FORBIDDEN'])]).toContain(code)
        }
        const impact = tool.preview?.({
          input: example.input(demo.ids) as never, // as above
          services: gameplan.services.readers({ db, principal: principalOf('other'), scope: {} }) as never, // as above
          scope: {},
          principal: principalOf('other'),
        })
        if (impact) await expect(impact).rejects.toThrow(ToolError)
      }
      expect(await snapshot()).toEqual(before)
    })
  }

  it('list_projects shows the own workspace only', async () => {
    const tool = gameplan.tools.find((one) => one.name === 'list_projects')
    if (!tool) throw new Error('list_projects is missing')
    expect(await callAs('other', tool, {}, {})).toMatchObject({ items: [], total: 0 })
    expect(await callAs('acme', tool, {}, {})).toMatchObject({ total: 2 })
  })
})
