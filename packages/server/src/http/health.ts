import { z } from '@hono/zod-openapi'
import type { ServerContext } from '../context.ts'
import { metricsText } from './metrics.ts'
import type { Router } from './router.ts'
import { jsonOf } from './schemas.ts'

const readyWithinMs = 2_000

/** Probes for whoever keeps the process running. */
export function healthRoutes(router: Router, context: ServerContext): void {
  router.publicRoute(
    {
      method: 'get',
      path: '/healthz',
      tag: 'Health',
      summary: 'Does the process answer?',
      responses: { 200: jsonOf(z.object({ ok: z.literal(true) }), 'It does') },
    },
    () => Response.json({ ok: true }),
  )

  router.publicRoute(
    {
      method: 'get',
      path: '/readyz',
      tag: 'Health',
      summary: 'May it be sent requests?',
      description: 'Schemas are migrated before the server listens, so what is asked here is the database.',
      responses: {
        200: jsonOf(z.object({ ready: z.literal(true) }), 'It may'),
        503: jsonOf(z.object({ ready: z.literal(false) }), 'The database does not answer, or the server is stopping'),
      },
    },
    async () => {
      const ready = !context.closing.aborted && (await databaseAnswers(context))
      return Response.json({ ready }, { status: ready ? 200 : 503 })
    },
  )

  router.publicRoute(
    {
      method: 'get',
      path: '/metrics',
      tag: 'Health',
      summary: 'Numbers for Prometheus',
      responses: { 200: { description: 'Text format 0.0.4', content: { 'text/plain': { schema: z.string() } } } },
    },
    async () =>
      new Response(await metricsText(context.database), {
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      }),
  )
}

async function databaseAnswers({ database, logger }: ServerContext): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), readyWithinMs)
  })
  const answers = database.engine.query({ text: 'select 1' }).then(
    () => true,
    (error: unknown) => {
      logger.warn({ err: error }, 'the database does not answer')
      return false
    },
  )
  return Promise.race([answers, tooLate]).finally(() => clearTimeout(timer))
}
