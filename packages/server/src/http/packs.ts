import { z } from '@hono/zod-openapi'
import type { ServerContext } from '../context.ts'
import type { Router } from './router.ts'
import { jsonOf } from './schemas.ts'

const packView = z
  .object({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    language: z.enum(['en', 'de']),
    role: z.string().openapi({ description: "This person's role in the pack" }),
    tools: z.number().openapi({ description: 'How many of its tools this person may call' }),
    demoScope: z.record(z.string(), z.string()).optional(),
  })
  .openapi('Pack')

/** The domains that this person has a role in. */
export function packRoutes(router: Router, { gate, demoScope }: ServerContext): void {
  router.route(
    {
      method: 'get',
      path: '/api/packs',
      tag: 'Tools',
      summary: 'The packs this person has a role in',
      responses: { 200: jsonOf(z.object({ items: z.array(packView) }), 'Packs') },
    },
    ({ principal }) => {
      const items = [...gate.packs.values()].flatMap(({ pack }) => {
        const role = pack.roleOf(principal)
        if (role === undefined) return []
        const { name, title, description, language } = pack
        const tools = gate.toolsFor(principal, name).length
        return [{ name, title, description, language, role, tools, demoScope: demoScope(principal.tenantId, name) }]
      })
      return Response.json({ items })
    },
  )
}
