import { OpenAPIHono } from '@hono/zod-openapi'
import { StoreError } from 'handrail'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { devHeader } from '../auth/dev-principals.ts'
import { isFromThisMachine } from '../auth/loopback-only.ts'
import type { ServerContext } from '../context.ts'
import { approvalRoutes } from './approvals.ts'
import { callRoutes } from './calls.ts'
import { chatRoutes } from './chat.ts'
import { documentRoutes } from './documents.ts'
import { eventRoutes } from './events.ts'
import { healthRoutes } from './health.ts'
import { HttpError } from './http-error.ts'
import { ledgerRoutes } from './ledger.ts'
import { packRoutes } from './packs.ts'
import { Router } from './router.ts'
import { runRoutes } from './runs.ts'
import { threadRoutes } from './threads.ts'
import { toolRoutes } from './tools.ts'

export interface AppOptions {
  /** The port it is reached by, for dev mode's check of `Host`; undefined takes any. */
  port?: () => number | undefined
}

/**
 * The HTTP API as a Hono application: `app.request(…)` in memory, or `app.fetch` behind any server.
 *
 * @example
 * const app = createApp(await createContext({ config }))
 * const answer = await app.request('/api/tools', { headers: { 'x-handrail-user': 'alice' } })
 */
export function createApp(context: ServerContext, options: AppOptions = {}): OpenAPIHono {
  const app = new OpenAPIHono()
  const { logger } = context

  app.onError((error, c) => {
    if (error instanceof HttpError) return error.toResponse()
    logger.error({ err: error, method: c.req.method, path: c.req.path }, 'a request failed')
    if (error instanceof StoreError) {
      return new HttpError(
        'UNAVAILABLE',
        'The store cannot be used just now. Nothing more is known of this request.',
      ).toResponse()
    }
    return new HttpError('INTERNAL', 'Something went wrong in the server.').toResponse()
  })
  app.notFound(() => new HttpError('NOT_FOUND', 'There is nothing at this path.').toResponse())

  app.use(async (c, next) => {
    if (context.isDevMode && !isFromThisMachine(c.req.raw, options.port?.())) {
      throw new HttpError('FORBIDDEN', 'In dev mode only this machine is served: `Host` and `Origin` must be its own.')
    }
    if (!context.isDevMode && isForeignPage(c.req.raw)) {
      throw new HttpError('FORBIDDEN', 'Pages of other sites may not act here.')
    }
    if (!context.isDevMode && c.req.header(devHeader) !== undefined) {
      throw new HttpError('UNAUTHENTICATED', 'The header `X-Handrail-User` is for dev mode only; a secret is set here.')
    }
    await next()
    c.res.headers.set('x-content-type-options', 'nosniff')
    c.res.headers.set('referrer-policy', 'no-referrer')
    if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store')
  })
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (_, methods) =>
        new HttpError('METHOD_NOT_ALLOWED', `This path takes ${methods.join(', ')}.`, {
          headers: { allow: methods.join(', ') },
        }).toResponse(),
    }),
  )

  const router = new Router(app, context)
  healthRoutes(router, context)
  packRoutes(router, context)
  toolRoutes(router, context)
  callRoutes(router, context)
  threadRoutes(router, context)
  chatRoutes(router, context)
  runRoutes(router, context)
  approvalRoutes(router, context)
  ledgerRoutes(router, context)
  eventRoutes(router, context)
  documentRoutes(router)
  return app
}

/** A page of another site in a browser that sends this person's cookies along. Browsers always tell, programs never. */
function isForeignPage({ method, headers }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD' && headers.get('sec-fetch-site') === 'cross-site'
}
