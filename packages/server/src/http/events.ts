import { z } from '@hono/zod-openapi'
import type { ServerContext } from '../context.ts'
import type { Router } from './router.ts'

const keepAliveMs = 15_000
/** A reader who does not read is let go, and connects again. */
const mostUnread = 1_000

/** What changes in the workspace, as it does. */
export function eventRoutes(router: Router, { gate, closing }: ServerContext): void {
  router.route(
    {
      method: 'get',
      path: '/api/events',
      tag: 'Events',
      summary: "What changes in this person's workspace",
      description:
        'Server-sent events, from now on: `event` is `approval`, `call`, `run`, `thread` or `changed`, `data` is `{"topic","id"}`. They say that something changed, never what: read it again.',
      responses: { 200: { description: 'Events', content: { 'text/event-stream': { schema: z.string() } } } },
    },
    ({ principal }) => {
      let stop: () => void = () => {}
      const events = new ReadableStream<string>({
        start(controller) {
          const end = (): void => {
            stop()
            controller.close()
          }
          const unsubscribe = gate.store.signals.subscribe(({ tenantId, topic, id }) => {
            if (tenantId !== principal.tenantId) return
            if ((controller.desiredSize ?? 0) < -mostUnread) return end()
            controller.enqueue(`event: ${topic}\ndata: ${JSON.stringify({ topic, id })}\n\n`)
          })
          const keepAlive = setInterval(() => controller.enqueue(': still here\n\n'), keepAliveMs)
          keepAlive.unref()
          stop = () => {
            unsubscribe()
            clearInterval(keepAlive)
            closing.removeEventListener('abort', end)
          }
          closing.addEventListener('abort', end)
          // Tells the client that it is connected, before anything changes.
          controller.enqueue(': connected\n\n')
        },
        cancel: () => stop(),
      })
      return new Response(events.pipeThrough(new TextEncoderStream()), {
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' },
      })
    },
  )
}
