import type { OpenAPIHono } from '@hono/zod-openapi'
import { z } from '@hono/zod-openapi'
import { docsPage, docsPolicy } from './docs-page.ts'
import type { Router } from './router.ts'
import { jsonOf } from './schemas.ts'

export type ApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>

/** The API's description, for programs and for people. Both are made from the routes themselves. */
export function documentRoutes(router: Router): void {
  let document: ApiDocument | undefined
  const describeApi = (): ApiDocument => {
    document ??= router.app.getOpenAPI31Document(about)
    return document
  }
  router.app.openAPIRegistry.registerComponent('securitySchemes', 'demoPerson', {
    type: 'apiKey',
    in: 'header',
    name: 'X-Handrail-User',
    description: 'Dev mode: alice, bob, carol or mallory',
  })

  router.publicRoute(
    {
      method: 'get',
      path: '/openapi.json',
      tag: 'Documents',
      summary: 'This API as OpenAPI 3.1',
      responses: { 200: jsonOf(z.object({ openapi: z.string() }), 'The document') },
    },
    () => Response.json(describeApi()),
  )

  router.publicRoute(
    {
      method: 'get',
      path: '/docs',
      tag: 'Documents',
      summary: 'This API as a page',
      responses: { 200: { description: 'The page', content: { 'text/html': { schema: z.string() } } } },
    },
    () =>
      new Response(docsPage(describeApi()), {
        headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': docsPolicy },
      }),
  )
}

const about = {
  openapi: '3.1.0',
  info: {
    title: 'Handrail',
    version: '0.1.0',
    description:
      'Every tool call passes one gate and leaves one record. Once a call has an id, the answer is that record, whatever became of it; before that it is `{ "error": { "code", "message", "details"? } }`. Lists answer `{ "items", "nextCursor"? }`.',
  },
  security: [{ demoPerson: [] }],
}
