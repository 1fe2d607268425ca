import { tool } from 'ai'
import { defineTool } from 'handrail'
import { z } from 'zod'

/** The same tool for every contender: five fields, a trivial result. */
export const schema = z.strictObject({
  a: z.string(),
  b: z.number(),
  c: z.boolean(),
  d: z.string().optional(),
  e: z.array(z.string()),
})
export const input = { a: 'x', b: 1, c: true, e: ['q'] }
const description = 'Answers that all is well'

/** As Handrail has it: a read for the gate alone, no cache, so that every call goes the whole way. */
export function handrailTool(name: string) {
  return defineTool({
    name,
    category: 'bench',
    kind: 'read',
    egress: false,
    untrusted: false,
    cache: false,
    description,
    inputSchema: schema,
    execute: () => ({ ok: 1 }),
    examples: [],
  })
}

/** As an application without Handrail has it. */
export function plainTool() {
  return tool({ description, inputSchema: schema, execute: async () => ({ ok: 1 }) })
}

export const principal = {
  tenantId: 'bench',
  userId: 'alice',
  roles: ['owner'],
  actor: 'person' as const,
  via: { door: 'bench', credentialId: 'bench' },
}
export const noLimits = { callsPerHour: 1_000_000_000 }
