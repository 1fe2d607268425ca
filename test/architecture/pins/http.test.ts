import { openTestDatabase } from '@handrail/postgres/testing'
import { createApp, createContext, readConfig, type ServerContext } from '@handrail/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outsiders } from './outsiders.ts'

let context: ServerContext
let app: ReturnType<typeof createApp>
beforeAll(async () => {
  const config = readConfig({ HANDRAIL_LOG: 'silent' })
  context = await createContext({ config, database: await openTestDatabase({ engine: 'pglite' }) })
  app = createApp(context)
})
afterAll(() => context?.close())

async function get(path: string) {
  const answer = await app.request(path, { headers: { 'x-handrail-user': 'alice' } })
  expect(answer.status, path).toBe(200)
  return answer.json()
}

const routes = [
  'GET /api/approvals',
  'GET /api/calls/{id}',
  'GET /api/chat/{id}/stream',
  'GET /api/events',
  'GET /api/ledger',
  'GET /api/ledger.csv',
  'GET /api/ledger/verify',
  'GET /api/packs',
  'GET /api/runs',
  'GET /api/runs/{id}',
  'GET /api/threads',
  'GET /api/threads/{id}',
  'GET /api/tools',
  'GET /docs',
  'GET /healthz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /readyz',
  'POST /api/approvals/{id}/decision',
  'POST /api/calls/{id}/settlement',
  'POST /api/chat',
  'POST /api/chat/{id}/stop',
  'POST /api/runs/{id}/cancel',
  'POST /api/threads',
  'POST /api/tools/{name}/call',
]

describe('the routes of the server', () => {
  it('are as they were pinned, in the description and in truth', async () => {
    const { paths } = await get('/openapi.json')
    const described = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const served = app.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(described.sort(), outsiders('the described routes')).toEqual(routes)
    expect(served.sort(), outsiders('the routes')).toEqual(routes)
  })
})

// Category, kind, effect, risk; `asks` where a person must approve whatever the arguments.
const tools = {
  add_dependency: 'dependency create transaction low',
  create_brainstorm: 'brainstorm create transaction low',
  create_game_system: 'game-system create transaction low',
  create_idea_thread: 'idea-stream create transaction low',
  create_project: 'project create transaction low',
  create_version_plan: 'version-plan create transaction low',
  delete_brainstorm: 'brainstorm delete transaction high asks',
  delete_game_system: 'game-system delete transaction high asks',
  delete_project: 'project delete transaction high asks',
  delete_version_plan: 'version-plan delete transaction high asks',
  finalize_threads_to_brainstorm: 'idea-stream action transaction high asks',
  finalize_version_plan: 'version-plan action transaction high asks',
  generate_export: 'export create transaction low',
  get_brainstorm: 'brainstorm read none low',
  get_dependency_graph: 'dependency read none low',
  get_game_system: 'game-system read none low',
  get_impact_analysis: 'dependency read none low',
  get_project: 'project read none low',
  get_project_activity: 'project read none low',
  get_thread_messages: 'idea-stream read none low',
  get_version_plan: 'version-plan read none low',
  import_system_from_markdown: 'game-system create transaction low',
  list_brainstorms: 'brainstorm read none low',
  list_exports: 'export read none low',
  list_game_systems: 'game-system read none low',
  list_idea_threads: 'idea-stream read none low',
  list_projects: 'project read none low',
  list_version_plans: 'version-plan read none low',
  post_idea_message: 'idea-stream create transaction low',
  remove_dependency: 'dependency delete transaction medium',
  update_game_system: 'game-system update transaction medium',
  update_project: 'project update transaction medium',
  validate_version_scope: 'version-plan read none low',
}

describe('the tools of GamePlan', () => {
  it('are 33, each as it was pinned, and six of them ask', async () => {
    const { items } = await get('/api/tools')
    const actual = items.map((tool: Record<string, string>) => [
      tool.name,
      [tool.category, tool.kind, tool.effect ?? 'none', tool.risk, ...(tool.requiresApproval ? ['asks'] : [])].join(
        ' ',
      ),
    ])
    expect(Object.fromEntries(actual), outsiders('tools')).toEqual(tools)
    expect(actual).toHaveLength(33)
    expect(Object.values(tools).filter((line) => line.endsWith(' asks'))).toHaveLength(6)
  })
})

const text = { type: 'string', description: '…' }
const id = { ...text, minLength: 1, maxLength: 100 }
const schema = {
  type: 'object',
  properties: {
    sourceSystemId: id,
    targetSystemId: id,
    dependencyType: { ...text, enum: ['requires', 'enhances', 'optional'] },
    description: { ...text, maxLength: 2000 },
  },
  required: ['sourceSystemId', 'targetSystemId'],
  additionalProperties: false,
}
const called = { name: 'add_dependency', description: '…' }
const formats = {
  openai: { type: 'function', function: { ...called, parameters: schema } },
  anthropic: { ...called, input_schema: schema },
  mcp: {
    ...called,
    title: 'Add dependency',
    inputSchema: schema,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  },
  backboard: { type: 'function', function: { ...called, parameters: schema } },
  'ai-sdk': { ...called, inputSchema: schema },
}

describe('a tool in the format of', () => {
  it.each(Object.entries(formats))('%s', async (format, pinned) => {
    const { items } = await get(`/api/tools?format=${format}`)
    const found = items.find((item: typeof formats.openai & typeof formats.mcp) =>
      [item.name, item.function?.name].includes('add_dependency'),
    )
    // What descriptions say may change; that they are there, and where, may not.
    const shape = JSON.parse(JSON.stringify(found), (key, value: unknown) =>
      key === 'description' && typeof value === 'string' ? '…' : value,
    )
    expect(shape, outsiders(`the format ${format}`)).toEqual(pinned)
  })
})
