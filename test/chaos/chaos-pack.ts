import { fileURLToPath } from 'node:url'
import type { Db } from '@handrail/postgres/pack'
import { rows } from '@handrail/postgres/pack'
import { sql } from 'drizzle-orm'
import { definePack, type ServiceContext, toolFactory } from 'handrail'
import { z } from 'zod'
import type { Faults } from './faults.ts'

interface Readers {
  entries: { total(): Promise<number> }
}
interface Writers {
  entries: { total(): Promise<number>; add(callId: string, note: string): Promise<void> }
}
interface Outside {
  post(body: { key: string; callId: string; tool: string; note: string }): Promise<unknown>
}
interface Services {
  readers: Readers
  writers: Writers
  outside: Outside
}

/** A tool's deadline in milliseconds. */
export const timeoutMs = 1_500
const limits = { timeoutMs }

export const chaosMigrations = {
  schema: 'chaos',
  migrationsFolder: fileURLToPath(new URL('./migrations', import.meta.url)),
}

/** Tools of every effect, on one table and one service outside. */
export function chaosPack(downstream: string, faults: Faults) {
  const defineTool = toolFactory<Services>({ egress: false, untrusted: false })
  const inputSchema = z.strictObject({ note: z.string() })
  const tools = [
    defineTool({
      name: 'count_entries',
      category: 'chaos',
      kind: 'read',
      description: 'Count entries.',
      inputSchema: z.strictObject({}),
      limits,
      execute: ({ services }) => services.entries.total(),
      examples: [],
    }),
    defineTool({
      name: 'add_entry',
      category: 'chaos',
      kind: 'create',
      effect: 'transaction',
      description: 'Add an entry.',
      inputSchema,
      limits,
      async execute({ services, input, call }) {
        await services.entries.add(call.id, input.note)
        return { added: input.note }
      },
      examples: [],
    }),
    defineTool({
      name: 'clear_entry',
      category: 'chaos',
      kind: 'delete',
      effect: 'transaction',
      description: 'Stands for a deletion, which asks; adds an entry, which can be counted.',
      inputSchema,
      limits,
      async execute({ services, input, call }) {
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
      inputSchema,
      limits,
      execute: ({ services, input, idempotencyKey, call }) =>
        services.outside.post({ key: idempotencyKey, callId: call.id, tool: 'post_keyed', note: input.note }),
      examples: [],
    }),
    defineTool({
      name: 'post_once',
      category: 'chaos',
      kind: 'action',
      effect: 'external',
      description: 'Post without a way to tell a repeat.',
      inputSchema,
      limits,
      execute: ({ services, input, idempotencyKey, call }) =>
        services.outside.post({ key: idempotencyKey, callId: call.id, tool: 'post_once', note: input.note }),
      examples: [],
    }),
  ]
  const readers = ({ db }: ServiceContext<Db>): Readers => ({
    entries: {
      async total() {
        const found = await rows<{ total: number }>(db, sql`select count(*)::int as total from chaos.entries`)
        return found[0]?.total ?? 0
      },
    },
  })
  return definePack<Services, Db, never>({
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
          async add(callId, note) {
            await context.db.execute(
              sql`insert into chaos.entries (tenant_id, call_id, note) values (${context.principal.tenantId}, ${callId}, ${note})`,
            )
            faults.reach('in-effect')
          },
        },
      }),
      outside: () => ({
        async post(body) {
          const response = await fetch(downstream, { method: 'POST', body: JSON.stringify(body) })
          const answer: unknown = await response.json()
          faults.reach('after-post')
          return answer
        },
      }),
    },
    // A repeat after an unknown outcome would ask; here it is allowed, so that starts stay frequent.
    policy: ({ tool, byDefault }) => (tool.name === 'post_once' ? { verdict: 'allow' } : byDefault),
    instructions: () => '',
  })
}
