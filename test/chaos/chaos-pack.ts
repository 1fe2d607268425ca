import type { Db } from '@handrail/postgres/pack'
import { rows } from '@handrail/postgres/pack'
import { sql } from 'drizzle-orm'
import { definePack, type ServiceContext, toolFactory } from 'handrail'
import { z } from 'zod'

interface Readers {
  entries: { total(): Promise<number>; isThere(note: string): Promise<boolean> }
}
interface Writers extends Readers {
  entries: Readers['entries'] & { add(callId: string, note: string): Promise<void> }
}
interface Outside {
  post(body: { key: string; callId: string; tool: string }): Promise<unknown>
}

/** Where a process may be stopped: between the claim and the effect, and within the effect's transaction. */
export interface PausePoints {
  inEffect(): void
}

const timeoutMs = 1_500

/** Tools of every effect, on one table and one service outside. */
export function chaosPack(downstream: string, pause: PausePoints) {
  const defineTool = toolFactory<{ readers: Readers; writers: Writers; outside: Outside }>({ egress: false, untrusted: false })
  const note = z.strictObject({ note: z.string() })
  const tools = [
    defineTool({ name: 'count_entries', category: 'chaos', kind: 'read', description: 'Count entries.', inputSchema: z.strictObject({}), limits: { timeoutMs }, execute: ({ services }) => services.entries.total(), examples: [] }),
    defineTool({
      name: 'add_entry',
      category: 'chaos',
      kind: 'create',
      effect: 'transaction',
      description: 'Add an entry.',
      inputSchema: note,
      limits: { timeoutMs },
      async execute({ services, input, call }) {
        await services.entries.add(call.id, input.note)
        pause.inEffect()
        return { added: input.note }
      },
      examples: [],
    }),
    defineTool({
      name: 'clear_entry',
      category: 'chaos',
      kind: 'delete',
      effect: 'transaction',
      description: 'Clear an entry.',
      inputSchema: note,
      limits: { timeoutMs },
      execute: async ({ services, input, call }) => {
        await services.entries.add(call.id, input.note)
        return { cleared: input.note }
      },
      examples: [],
    }),
    defineTool({
      name: 'post_keyed',
      category: 'chaos',
      kind: 'action',
      effect: 'external',
      idempotent: true,
      approval: 'never',
      description: 'Post with a key that the other side honours.',
      inputSchema: note,
      limits: { timeoutMs },
      execute: ({ services, idempotencyKey, call }) => services.outside.post({ key: idempotencyKey, callId: call.id, tool: 'post_keyed' }),
      examples: [],
    }),
    defineTool({
      name: 'post_once',
      category: 'chaos',
      kind: 'action',
      effect: 'external',
      approval: 'never',
      description: 'Post without a way to tell a repeat.',
      inputSchema: note,
      limits: { timeoutMs },
      execute: ({ services, idempotencyKey, call }) => services.outside.post({ key: idempotencyKey, callId: call.id, tool: 'post_once' }),
      examples: [],
    }),
  ]
  const readers = ({ db }: ServiceContext<Db>): Readers => ({
    entries: {
      total: async () => (await rows<{ total: number }>(db, sql`select count(*)::int as total from chaos.entries`))[0]?.total ?? 0,
      isThere: async (text) => (await rows(db, sql`select 1 from chaos.entries where note = ${text}`)).length > 0,
    },
  })
  return definePack<{ readers: Readers; writers: Writers; outside: Outside }, Db, never>({
    name: 'chaos',
    title: 'Chaos',
    description: 'Tools of every effect',
    language: 'en',
    tools,
    scopeSchema: z.strictObject({}),
    roles: { owner: 'all' },
    services: {
      readers,
      writers: (context) => ({
        entries: {
          ...readers(context).entries,
          add: async (callId, text) => {
            await context.db.execute(sql`insert into chaos.entries (tenant_id, call_id, note) values (${context.principal.tenantId}, ${callId}, ${text})`)
          },
        },
      }),
      outside: () => ({
        post: async (body) => {
          const response = await fetch(downstream, { method: 'POST', body: JSON.stringify(body) })
          return response.json()
        },
      }),
    },
    // What a person decides first is a delete; a repeat of an unknown write would ask too, which the workload does on purpose elsewhere.
    policy: ({ tool, byDefault }) => (tool.name === 'post_once' ? { verdict: 'allow' } : byDefault),
    instructions: () => '',
  })
}
