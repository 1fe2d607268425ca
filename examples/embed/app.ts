import { postgresStore, type QueryClient } from '@handrail/postgres'
import express, { type Request } from 'express'
import { createGate, type Principal } from 'handrail'
import type pg from 'pg'
import { invoices, schema } from './invoices.ts'
import listInvoices from './tools/list-invoices.ts'
import voidInvoice from './tools/void-invoice.ts'

/** The application: its own sign-in, its own tables, and now two tools behind the gate. */
export async function createApp(pool: pg.Pool) {
  await pool.query(schema)
  const gate = createGate({
    tools: [listInvoices, voidInvoice],
    roles: { accountant: 'all', clerk: { kinds: ['read'] } },
    services: ({ db }: { db: QueryClient }) => invoices(db),
    store: await postgresStore({ pool, handle: 'client' }),
    resolvePrincipal,
  })

  const app = express()
  app.use(express.json())

  // What a model loop is given: the tools this person may call. `tools.toAISDKTools()` is the same for the AI SDK.
  app.get('/assistant/tools', async (request, response) => {
    const tools = await gate.as(request)
    tools ? response.json(tools.toOpenAITools()) : response.sendStatus(401)
  })

  // One call of the model's. Always a result it can use: data, a refusal with what would work, or a question to a person.
  app.post('/assistant/tools/:name', async (request, response) => {
    const tools = await gate.as(request)
    tools
      ? response.type('json').send(await tools.executeTool(request.params.name, request.body))
      : response.sendStatus(401)
  })

  // The person's answer to such a question. The stored call is carried out here, once, whoever sends it again.
  app.post('/approvals/:id', async (request, response) => {
    const principal = resolvePrincipal(request)
    if (principal === undefined) return response.sendStatus(401)
    const decision = request.body.approve === true ? 'approve' : 'decline'
    return response.json(await gate.decide({ approvalId: request.params.id, decision, principal }))
  })
  return app
}

/** Stands for the application's own sign-in: a session that was verified before it came here. */
function resolvePrincipal(request: Request): Principal | undefined {
  const role = { ada: 'accountant', carl: 'clerk' }[request.header('x-user') ?? '']
  if (role === undefined) return undefined
  const userId = request.header('x-user') ?? ''
  return {
    tenantId: 'shop',
    userId,
    roles: [role],
    actor: 'person',
    via: { door: 'http', credentialId: `session-${userId}` },
  }
}
