import type { StoredCall } from '../ledger/call-record.ts'
import type { CallOutcome, CallRequest } from './call-request.ts'
import type { GateContext } from './gate-context.ts'
import { type CalledTool, type GovernedCall, newCall, payloadOf } from './governed-call.ts'
import { outcomeOf } from './outcome.ts'
import type { Resolved } from './resolve.ts'
import type { Stopped } from './stopped.ts'

/**
 * Ends a call that a stage stopped, and puts that on record too. When even that cannot be stored the answer stands:
 * nothing was executed.
 */
export async function answerStopped(
  context: GateContext,
  request: CallRequest,
  known: Resolved | GovernedCall | undefined,
  { status, failure }: Stopped,
): Promise<CallOutcome> {
  const call = stoppedCall(context, request, known)
  const now = new Date()
  const description = known ? describeStopped(known, status, failure.error) : failure.error
  const ended: StoredCall = {
    ...call,
    status,
    code: failure.code,
    description,
    endedAt: now,
    durationMs: 0,
    payload: call.payload && { ...call.payload, result: failure },
  }
  try {
    await context.store.calls.recordEnded(ended, request.run)
  } catch (error) {
    context.report({
      code: 'REFUSAL_NOT_RECORDED',
      message: 'a stopped call could not be recorded; nothing was executed',
      callId: ended.callId,
      error,
    })
  }
  return outcomeOf(known?.governed ?? context.unknownPack, known?.tool, ended)
}

function describeStopped({ governed: { say }, tool }: Resolved, status: Stopped['status'], error: string): string {
  return status === 'refused'
    ? say.callRefused({ tool: tool.title, reason: error })
    : status === 'cancelled'
      ? say.callCancelled({ tool: tool.title })
      : say.callFailedBecause({ tool: tool.title, reason: error })
}

function stoppedCall(
  context: GateContext,
  request: CallRequest,
  known: Resolved | GovernedCall | undefined,
): StoredCall {
  const scope = request.scope ?? {}
  // A stopped call keeps no key: corrected, or later, the same key may be used again.
  if (known && 'payload' in known) return { ...newCall(known, 'running'), idempotencyKey: undefined }
  const governed = known?.governed ?? context.unknownPack
  const tool = known?.tool ?? { ...unknownTool, name: nameForRecord(request.name), title: nameForRecord(request.name) }
  // What could not be parsed is not kept: it may be huge, or hostile, and nothing will ever run from it.
  const payload = payloadOf(governed, tool, scope, null)
  return { ...newCall({ request, governed, tool, scope, payload }, 'running'), idempotencyKey: undefined }
}

const unknownTool: Omit<CalledTool, 'name' | 'title'> = {
  version: 0,
  kind: 'action',
  effect: 'external',
  risk: 'high',
  idempotent: false,
}

function nameForRecord(name: string): string {
  return name.replace(/[^\w.-]/g, '?').slice(0, 64)
}
