import { z } from '@hono/zod-openapi'
import { mayReadLedger } from '../auth/may-read-ledger.ts'
import type { ServerContext } from '../context.ts'
import { callResponse } from './call-response.ts'
import { HttpError } from './http-error.ts'
import type { Router } from './router.ts'
import { callRecord, idParams, jsonOf, packName, scope } from './schemas.ts'

const idempotencyKey = z.string().min(1).max(200)
const toolParams = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(200)
    .openapi({ param: { in: 'path', name: 'name' }, example: 'list_projects' }),
})
const callBody = z
  .strictObject({
    input: z.unknown().optional().openapi({ description: "The tool's arguments; left out: none", example: {} }),
    pack: packName.optional().openapi({ description: 'Needed where two packs have a tool of this name' }),
    scope: scope.optional(),
    idempotencyKey: idempotencyKey.optional().openapi({
      description:
        'The same key again is the same call again, and gets its outcome. Also taken as the header `Idempotency-Key`.',
    }),
  })
  .openapi('CallRequest')

/** Calls made by a person's own hand, and how calls stand. */
export function callRoutes(router: Router, { gate }: ServerContext): void {
  router.route(
    {
      method: 'post',
      path: '/api/tools/{name}/call',
      tag: 'Calls',
      summary: 'Call a tool',
      description:
        'Through the gate, as this person. Executed in this request; or 202, when a person must decide first. However it ends, the body is the call on record, and its status follows its outcome.',
      params: toolParams,
      body: callBody,
      responses: {
        200: jsonOf(callRecord, 'Done; or of unknown outcome, to be settled'),
        202: jsonOf(callRecord, 'Waits for a decision; `Location` is where to look'),
        403: jsonOf(callRecord, 'Refused'),
        404: jsonOf(callRecord, 'No such tool, or nothing there to act on'),
        409: jsonOf(callRecord, 'Contradicts what is stored, or another call under this key'),
        429: jsonOf(callRecord, 'Too many for now; `Retry-After` says when'),
        503: jsonOf(callRecord, 'Something the tool needs is not there'),
        504: jsonOf(callRecord, 'The tool took too long; nothing was changed'),
      },
      errors: [413],
    },
    async ({ principal, params, body, header }) => {
      const key = keyOf(body.idempotencyKey, header('idempotency-key'))
      const { record } = await gate.call({
        name: params.name,
        input: body.input,
        // Not bound to the connection: an outside effect that is broken off is of unknown outcome.
        principal,
        ...(body.pack !== undefined && { pack: body.pack }),
        ...(body.scope !== undefined && { scope: body.scope }),
        ...(key !== undefined && { idempotencyKey: key }),
      })
      return callResponse(record)
    },
  )

  router.route(
    {
      method: 'get',
      path: '/api/calls/{id}',
      tag: 'Calls',
      summary: 'A call on record',
      params: idParams,
      responses: { 200: jsonOf(callRecord, 'The call as it stands') },
      errors: [404],
    },
    async ({ principal, params }) => {
      const call = await gate.getCall(principal, params.id)
      const isTheirs = call?.principal.userId === principal.userId
      if (call === undefined || !(isTheirs || mayReadLedger(principal))) throw callNotFound(gate)
      return Response.json(call)
    },
  )

  router.route(
    {
      method: 'post',
      path: '/api/calls/{id}/settlement',
      tag: 'Calls',
      summary: 'Say what became of a call whose outcome is unknown',
      params: idParams,
      body: z.strictObject({ outcome: z.enum(['happened', 'did_not_happen']) }),
      responses: { 200: jsonOf(callRecord, 'The call, settled') },
      errors: [403, 404, 409],
    },
    async ({ principal, params, body }) => {
      const outcome = await gate.settle({ callId: params.id, outcome: body.outcome, principal })
      if (outcome.kind === 'refused') throw new HttpError(outcome.code, outcome.message)
      return Response.json(outcome.call)
    },
  )
}

function callNotFound({ say }: ServerContext['gate']): HttpError {
  return new HttpError('NOT_FOUND', say.callNotFound())
}

function keyOf(inBody: string | undefined, inHeader: string | undefined): string | undefined {
  if (inHeader === undefined) return inBody
  const parsed = idempotencyKey.safeParse(inHeader)
  if (!parsed.success) throw new HttpError('VALIDATION', 'The header `Idempotency-Key` must have 1 to 200 characters.')
  if (inBody !== undefined && inBody !== parsed.data) {
    throw new HttpError('VALIDATION', '`idempotencyKey` and the header `Idempotency-Key` differ; send one of them.')
  }
  return parsed.data
}
