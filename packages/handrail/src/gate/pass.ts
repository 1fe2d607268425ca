import type { Approval } from '../approval/approval.ts'
import type { StoredCall } from '../ledger/call-record.ts'
import type { Verdict } from '../pack/policy.ts'
import type { ClaimOutcome } from '../store/store.ts'
import { answerStopped } from './answer-stopped.ts'
import { ask, previewOf } from './ask.ts'
import { authorize, authorizeInput } from './authorize.ts'
import type { CallOutcome, CallRequest } from './call-request.ts'
import { carryOut } from './carry-out.ts'
import { claim } from './claim.ts'
import type { GateContext } from './gate-context.ts'
import { type GovernedCall, newCall, payloadOf } from './governed-call.ts'
import { judge } from './judge.ts'
import { outcomeOf } from './outcome.ts'
import { parse } from './parse.ts'
import { recover } from './recover.ts'
import { resolve } from './resolve.ts'
import { resume } from './resume.ts'
import { reuse } from './reuse.ts'
import { isStopped, stop } from './stopped.ts'

/**
 * The gate: the fixed stages every call passes, in this order. A stage that stops the call says why; nothing is
 * executed before every stage before it has spoken.
 *
 * @param until `decided` stops short of executing: an allowed call answers `allowed`, any other is stored as usual
 */
export async function pass(
  context: GateContext,
  request: CallRequest,
  until: 'ended' | 'decided' = 'ended',
): Promise<CallOutcome | 'allowed'> {
  const resolved = resolve(context.packs, request.name, request.pack, context.say)
  if (isStopped(resolved)) return answerStopped(context, request, undefined, resolved)
  const { governed, tool } = resolved

  const parsed = parse(tool, request.input, governed.say)
  if (isStopped(parsed)) return answerStopped(context, request, resolved, parsed)

  const authorized = authorize(governed.pack, tool, request.principal, request.scope ?? {}, governed.say)
  if (isStopped(authorized)) return answerStopped(context, request, resolved, authorized)

  const { scope } = authorized
  const governedCall: GovernedCall = {
    request,
    governed,
    tool,
    scope,
    payload: payloadOf(governed, tool, scope, parsed.input),
  }

  const ruled = await authorizeInput(context, { ...governedCall, principal: request.principal })
  if (ruled) return answerStopped(context, request, governedCall, ruled)

  const reused = await reuse(context, governedCall)
  if (reused?.kind === 'call') {
    if (until === 'decided' && (await approvedFor(context, reused.call))) return 'allowed'
    return existing(context, governedCall, reused.call)
  }
  if (reused?.kind === 'outcome') return reused.outcome

  const verdict = await judge(context, governedCall)
  if (verdict.verdict === 'refuse') {
    return answerStopped(context, request, governedCall, stop('refused', 'REFUSED', verdict.reason))
  }
  if (request.signal?.aborted) {
    return answerStopped(
      context,
      request,
      governedCall,
      stop('cancelled', 'CANCELLED', governed.say.cancelled({ tool: tool.title })),
    )
  }
  if (verdict.verdict === 'ask') return askFor(context, governedCall, verdict)
  return until === 'decided' ? 'allowed' : execute(context, governedCall)
}

async function askFor(
  context: GateContext,
  governedCall: GovernedCall,
  verdict: Verdict & { verdict: 'ask' },
): Promise<CallOutcome> {
  const { request, governed, tool, scope, payload } = governedCall
  const asked = await previewOf(context, governed, tool, payload.input, request.principal, scope)
  if (isStopped(asked)) return answerStopped(context, request, governedCall, asked)
  const call = newCall(governedCall, 'awaiting_approval')
  const { outcome, waiting } = await ask(context, governed, tool, call, {
    reason: verdict.reason,
    approvers: verdict.approvers ?? { rule: 'requester' },
    form: request.form ?? governed.pack.asking ?? 'card',
    asked,
    lease: request.run,
  })
  if (outcome.kind !== 'asked') return notClaimed(context, governedCall, call, outcome)
  return waitingOutcome(governedCall, waiting, asked.view)
}

function waitingOutcome({ governed, tool, request }: GovernedCall, waiting: StoredCall, preview: unknown): CallOutcome {
  const outcome = outcomeOf(governed, tool, waiting)
  const inConversation = (request.form ?? governed.pack.asking) === 'conversation'
  const message = inConversation
    ? governed.say.askedInConversation({ tool: tool.title })
    : governed.say.askedByCard({ tool: tool.title })
  const result = {
    success: false as const,
    requiresConfirmation: true as const,
    approvalId: waiting.approvalId ?? '',
    message,
    ...(preview === undefined ? {} : { preview }),
  }
  return { record: { ...outcome.record, result }, result, forModel: result }
}

async function execute(context: GateContext, governedCall: GovernedCall): Promise<CallOutcome> {
  const { request, governed, tool, payload } = governedCall
  const { readCache } = request
  const call = newCall(governedCall, 'running')
  const outcome = await claim(context, tool, call, { from: 'new' }, request.run)
  if (outcome.kind !== 'claimed') return notClaimed(context, governedCall, call, outcome)
  const isWrite = tool.kind !== 'read'
  if (isWrite) readCache?.flush()
  const generation = readCache?.generation ?? 0
  try {
    const ended = await carryOut(context, {
      governed,
      tool,
      call: outcome.call,
      payload,
      lease: request.run,
      signal: request.signal,
      onEvent: request.onEvent,
    })
    const answer = outcomeOf(governed, tool, ended ?? outcome.call)
    if (!isWrite && tool.cache) readCache?.set(payload.digest, answer.result, generation)
    return answer
  } finally {
    if (isWrite) readCache?.flush()
  }
}

/** The claim went to someone else, or may not be had. */
async function notClaimed(
  context: GateContext,
  governedCall: GovernedCall,
  call: StoredCall,
  outcome: Exclude<ClaimOutcome, { kind: 'claimed' }>,
): Promise<CallOutcome> {
  const { request, governed, tool } = governedCall
  const { say } = governed
  switch (outcome.kind) {
    case 'existing':
      return existing(context, governedCall, outcome.call)
    case 'limited':
      return answerStopped(
        context,
        request,
        governedCall,
        stop(
          'refused',
          'RATE_LIMITED',
          say.rateLimited({ tool: tool.title, limit: outcome.quota.limit, retryAt: outcome.retryAt }),
          {
            details: outcome.retryAt ? { retryAt: outcome.retryAt.toISOString() } : undefined,
          },
        ),
      )
    case 'lease-lost':
      return outcomeOf(governed, tool, {
        ...call,
        status: 'cancelled',
        code: 'CANCELLED',
        description: say.leaseLost(),
      })
    case 'not-approved':
      return outcomeOf(
        governed,
        tool,
        outcome.call ?? {
          ...call,
          status: 'expired',
          code: 'EXPIRED',
          description: say.callExpired({ tool: tool.title }),
        },
      )
  }
}

/** A call of this key is there already: its outcome, or what stands in the way of it. */
async function existing(context: GateContext, governedCall: GovernedCall, call: StoredCall): Promise<CallOutcome> {
  const { request, governed, tool, payload } = governedCall
  // A run names its own call by its id; what a person edited before approving is still that call.
  const mine = request.callId === call.callId
  if (!mine && call.payload?.digest !== payload.digest) {
    const failure = stop('failed', 'CONFLICT', governed.say.keyReused({ tool: tool.title }), {
      next: governed.say.keyReusedNext(),
      details: { callId: call.callId },
    })
    return answerStopped(context, { ...request, idempotencyKey: undefined, callId: undefined }, governedCall, failure)
  }
  if (call.status === 'running' && mine)
    return outcomeOf(governed, tool, (await recover(context, call, request.run)) ?? call)
  const approval = await approvedFor(context, call)
  if (approval) return outcomeOf(governed, tool, await resume(context, approval, call))
  return outcomeOf(governed, tool, call)
}

/** The approval by which a waiting call may be carried out now. */
async function approvedFor(context: GateContext, call: StoredCall): Promise<Approval | undefined> {
  if (call.status !== 'awaiting_approval' || call.approvalId === undefined) return undefined
  const approval = await context.store.approvals.get(call.tenantId, call.approvalId)
  return approval?.status === 'approved' ? approval : undefined
}
