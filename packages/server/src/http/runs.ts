import { z } from '@hono/zod-openapi'
import type { ServerContext } from '../context.ts'
import { HttpError } from './http-error.ts'
import type { Router } from './router.ts'
import { runViewOf } from './run-view.ts'
import { idParams, idText, jsonOf, pageOf, pageQuery, runStatus, runView } from './schemas.ts'
import { given } from './threads.ts'

const runsQuery = z.strictObject({ ...pageQuery, thread: idText.optional(), status: runStatus.optional() })

/** What agents did for this person. */
export function runRoutes(router: Router, { gate, engine }: ServerContext): void {
  const { runs } = gate.store
  const notFound = () => new HttpError('NOT_FOUND', 'There is no such run.')

  router.route(
    {
      method: 'get',
      path: '/api/runs',
      tag: 'Runs',
      summary: "This person's runs, newest first",
      query: runsQuery,
      responses: { 200: pageOf(runView, 'Runs') },
    },
    async ({ principal, query: { thread, ...filter } }) => {
      const page = await runs.list(principal.tenantId, {
        userId: principal.userId,
        ...given({ ...filter, threadId: thread }),
      })
      return Response.json({ ...page, items: page.items.map((run) => runViewOf(run, principal)) })
    },
  )

  router.route(
    {
      method: 'get',
      path: '/api/runs/{id}',
      tag: 'Runs',
      summary: 'A run',
      params: idParams,
      responses: { 200: jsonOf(runView, 'The run') },
      errors: [404],
    },
    async ({ principal, params }) => {
      const run = await runs.get(principal.tenantId, params.id)
      if (run?.principal.userId !== principal.userId) throw notFound()
      return Response.json(runViewOf(run, principal))
    },
  )

  router.route(
    {
      method: 'post',
      path: '/api/runs/{id}/cancel',
      tag: 'Runs',
      summary: 'Stop a run',
      description: 'Model and tools are stopped; what was done stays done. A run that has ended is left as it is.',
      params: idParams,
      bodyIsOptional: true,
      responses: { 200: jsonOf(runView, 'The run as it stands now') },
      errors: [404],
    },
    async ({ principal, params }) => {
      const run = await engine.cancel({ principal, runId: params.id })
      if (run === undefined) throw notFound()
      return Response.json(runViewOf(run, principal))
    },
  )
}
