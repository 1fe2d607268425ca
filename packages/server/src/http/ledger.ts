import { z } from '@hono/zod-openapi'
import { type CallFilter, csvCell, type Principal, toRecord, verifyLedger } from 'handrail'
import { mayReadLedger } from '../auth/may-read-ledger.ts'
import type { ServerContext } from '../context.ts'
import { HttpError } from './http-error.ts'
import type { Router } from './router.ts'
import { callRecord, callStatus, idText, jsonOf, moment, pageOf, pageQuery } from './schemas.ts'
import { given } from './threads.ts'

const filters = {
  run: idText.optional(),
  tool: idText.optional(),
  user: idText.optional(),
  status: callStatus.optional(),
  from: moment.optional().openapi({ type: 'string', description: 'From this moment on' }),
  to: moment.optional().openapi({ type: 'string', description: 'Before this moment' }),
}
const listQuery = z.strictObject({ ...filters, ...pageQuery })
const csvQuery = z.strictObject(filters)

const anchor = z.object({ seq: z.number(), signature: z.string() })
const report = z
  .object({
    intact: z.boolean().openapi({ description: 'No problem was found' }),
    sealed: z.number().openapi({ description: 'Entries under seals' }),
    unsealed: z.number().openapi({ description: 'Entries not yet under a seal, which nothing vouches for' }),
    problems: z.array(
      z.object({
        kind: z.string(),
        seq: z.number().optional(),
        callId: z.string().optional(),
        message: z.string(),
      }),
    ),
    head: anchor.optional(),
    anchor: anchor.optional().openapi({ description: 'What the record was held against, kept outside the database' }),
  })
  .openapi('LedgerReport')

const columns = [
  ['callId', 'pack', 'toolName', 'kind', 'risk', 'status', 'description', 'userId', 'actor', 'door', 'runId'],
  ['approvalId', 'executedAt', 'durationMs', 'code'],
].flat()
const csvPage = 200

/** The record of calls: to read, to take away, to verify. */
export function ledgerRoutes(router: Router, { gate, sealKey, anchors }: ServerContext): void {
  const { calls } = gate.store

  router.route(
    {
      method: 'get',
      path: '/api/ledger',
      tag: 'Ledger',
      summary: 'Calls on record, newest first',
      description: "Owners and members read the workspace's whole record, readers what is theirs.",
      query: listQuery,
      responses: { 200: pageOf(callRecord, 'Calls') },
    },
    async ({ principal, query: { cursor, limit, ...asked } }) => {
      const filter = filterFor(principal, asked)
      if (filter === undefined) return Response.json({ items: [] })
      const page = await calls.list(principal.tenantId, { ...filter, ...given({ cursor, limit }) })
      return Response.json({ ...page, items: page.items.map((call) => toRecord(call)) })
    },
  )

  router.route(
    {
      method: 'get',
      path: '/api/ledger.csv',
      tag: 'Ledger',
      summary: 'The same as a table',
      query: csvQuery,
      responses: { 200: { description: 'CSV (RFC 4180)', content: { 'text/csv': { schema: z.string() } } } },
    },
    async ({ principal, query }) => {
      const filter = filterFor(principal, query)
      const rows = csvRows(calls, principal.tenantId, filter)
      // What cannot be read must be an error, not the beginning of a table.
      const first = await rows.next()
      return new Response(streamOf(rows, first.value ?? '').pipeThrough(new TextEncoderStream()), {
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': 'attachment; filename="ledger.csv"',
        },
      })
    },
  )

  router.route(
    {
      method: 'get',
      path: '/api/ledger/verify',
      tag: 'Ledger',
      summary: "Recompute the workspace's seals, and compare what calls hold with them",
      description: 'For owners and members.',
      responses: { 200: jsonOf(report, 'What was found') },
      errors: [403],
    },
    async ({ principal }) => {
      if (!mayReadLedger(principal)) throw new HttpError('FORBIDDEN', 'Owners and members verify the record.')
      const kept = anchors.of(principal.tenantId)
      const found = await verifyLedger(gate.store, principal.tenantId, sealKey, kept)
      return Response.json({ intact: found.problems.length === 0, ...found, ...(kept && { anchor: kept }) })
    },
  )
}

/** What this person may see of what they ask for; undefined when that is nothing. */
function filterFor(
  principal: Principal,
  { run, tool, user, status, from, to }: z.output<typeof csvQuery>,
): CallFilter | undefined {
  const isWhole = mayReadLedger(principal)
  if (!isWhole && user !== undefined && user !== principal.userId) return undefined
  return given({ runId: run, toolName: tool, userId: isWhole ? user : principal.userId, status, from, to })
}

function streamOf(texts: AsyncGenerator<string>, first: string): ReadableStream<string> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(first)
    },
    async pull(controller) {
      const { value, done } = await texts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await texts.return(undefined)
    },
  })
}

async function* csvRows(
  calls: ServerContext['gate']['store']['calls'],
  tenantId: string,
  filter: CallFilter | undefined,
): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`
  if (filter === undefined) return
  let cursor: string | undefined
  do {
    const page = await calls.list(tenantId, { ...filter, limit: csvPage, ...(cursor && { cursor }) })
    for (const call of page.items) {
      const { principal, status, approvalId, code } = call
      const record = toRecord(call)
      const { callId, pack, toolName, kind, risk, description, door, runId, executedAt, durationMs } = record
      const cells = [callId, pack, toolName, kind, risk, status, description, principal.userId, principal.actor, door]
      yield `${[...cells, runId, approvalId, executedAt, durationMs, code].map(csvCell).join(',')}\r\n`
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
}
