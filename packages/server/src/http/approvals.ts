import { z } from '@hono/zod-openapi'
import type { Approval, Principal, ToolCallRecord } from 'handrail'
import type { ServerContext } from '../context.ts'
import { approvalViewOf, rightsOn } from './approval-view.ts'
import { HttpError } from './http-error.ts'
import type { Router } from './router.ts'
import { approvalStatus, approvalView, callRecord, errorBody, idParams, jsonOf, pageOf, pageQuery } from './schemas.ts'
import { given } from './threads.ts'

const longestReason = 2_000
const decisionBody = z
  .strictObject({
    decision: z.enum(['approve', 'decline']),
    reason: z.string().max(longestReason).optional(),
    input: z.unknown().optional().openapi({ description: 'With `approve`: the arguments as changed, judged anew' }),
  })
  .openapi('Decision')
const decided = z.object({ approval: approvalView, call: callRecord })

/** What waits for a person, and what they say. */
export function approvalRoutes(router: Router, context: ServerContext): void {
  const { gate } = context

  router.route(
    {
      method: 'get',
      path: '/api/approvals',
      tag: 'Approvals',
      summary: 'Approvals that this person asked for or may decide, newest first',
      description: 'A page may hold fewer than `limit` where others of the workspace asked for something.',
      query: z.strictObject({ ...pageQuery, status: approvalStatus.optional() }),
      responses: { 200: pageOf(approvalView, 'Approvals') },
    },
    async ({ principal, query }) => {
      const page = await gate.store.approvals.list(principal.tenantId, given(query))
      const seen = page.items
        .map((approval) => ({ approval, rights: rightsOn(context, principal, approval) }))
        .filter(({ rights }) => rights.maySee)
      const items = await Promise.all(
        seen.map(async ({ approval, rights }) => {
          const call = await gate.store.calls.get(approval.tenantId, approval.callId)
          return approvalViewOf(approval, call, rights.mayDecide)
        }),
      )
      return Response.json({ ...page, items })
    },
  )

  router.route(
    {
      method: 'post',
      path: '/api/approvals/{id}/decision',
      tag: 'Approvals',
      summary: 'Approve or decline',
      description:
        'The first decision stands and is carried out once, in this request. The same one again by the same person gets the same answer; any other gets 409 with the first.',
      params: idParams,
      body: decisionBody,
      responses: {
        200: jsonOf(decided, 'Decided, and what came of it'),
        409: jsonOf(decided.extend(errorBody.shape), 'Decided before, or expired: what stands'),
      },
      errors: [403, 404],
    },
    async ({ principal, params, body }) => {
      if (body.decision === 'decline' && body.input !== undefined) {
        throw new HttpError('VALIDATION', '`input` goes with `approve` only.')
      }
      const outcome = await gate.decide({ approvalId: params.id, principal, ...given(body), decision: body.decision })
      if (outcome.kind === 'refused') throw new HttpError(outcome.code, outcome.message, { details: outcome.details })
      const view = await decidedView(context, principal, outcome.approval, outcome.call)
      if (outcome.kind === 'decided') return Response.json(view)
      const code = outcome.approval.status === 'expired' ? 'EXPIRED' : 'CONFLICT'
      return Response.json({ ...new HttpError(code, outcome.message).body, ...view }, { status: 409 })
    },
  )
}

async function decidedView(context: ServerContext, principal: Principal, approval: Approval, call: ToolCallRecord) {
  const stored = await context.gate.store.calls.get(approval.tenantId, approval.callId)
  const { mayDecide } = rightsOn(context, principal, approval)
  return { approval: approvalViewOf(approval, stored, mayDecide), call }
}
