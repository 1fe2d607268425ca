import { ToolError } from '../errors/tool-error.ts'
import type { ServiceCall } from '../execute/record-service-calls.ts'
import type { Deadlined } from '../execute/with-deadline.ts'
import type { CallPayload, CallStatus } from '../ledger/call-record.ts'
import { describeCall, present } from '../present/present.ts'
import type { CallEnding } from '../store/store.ts'
import type { Tool } from '../tool/tool.ts'
import type { ToolFailure, ToolResult } from '../tool/tool-result.ts'
import type { GateContext, GovernedPack } from './gate-context.ts'

/** A claimed call's own facts, as its endings need them. */
export interface EndingFacts {
  governed: GovernedPack
  tool: Tool
  payload: CallPayload
  serviceCall: ServiceCall | undefined
  startedAt: number
}

/** What stands in the record at the end of an execution, however the tool ended. */
export function endingOf(context: GateContext, facts: EndingFacts, ending: Deadlined<unknown>): CallEnding {
  const { tool, governed } = facts
  const actsOutside = tool.kind !== 'read' && tool.effect === 'external'
  if (ending.kind === 'returned') {
    const budget = tool.limits.resultTokens ?? context.limits.resultTokens
    const presented = present(tool, facts.payload.input, ending.value, budget, governed.redact, governed.say)
    if ('result' in presented) return ended(facts, 'done', presented.result, presented.truncated)
    return ended(facts, actsOutside ? 'unknown' : 'failed', presented)
  }
  const failure = failureOf(context, facts, ending, actsOutside)
  return ended(facts, statusOf(failure, ending.kind, actsOutside), failure)
}

/** An ending that no execution brought: refused, declined, lost. */
export function ended(
  facts: EndingFacts,
  status: CallEnding['status'],
  result: ToolResult,
  truncated = false,
): CallEnding {
  const { tool, governed, payload, serviceCall } = facts
  const description =
    status === 'unknown'
      ? governed.say.callUnknown({ tool: tool.title })
      : result.success
        ? result.message
        : describeCall(tool, payload.input, result, governed.redact, governed.say)
  return {
    status,
    code: 'code' in result ? result.code : undefined,
    description,
    payload: { ...payload, result, apiCall: serviceCall ? apiCallOf(governed, tool, serviceCall) : payload.apiCall },
    durationMs: Math.max(0, Math.round((performance.now() - facts.startedAt) * 1000) / 1000),
    truncated,
  }
}

function apiCallOf(governed: GovernedPack, tool: Tool, { service, payload }: ServiceCall): CallPayload['apiCall'] {
  return { service, payload: governed.redact(payload).value, kind: tool.kind }
}

function failureOf(
  context: GateContext,
  { tool, governed: { say, redact } }: EndingFacts,
  ending: Exclude<Deadlined<unknown>, { kind: 'returned' }>,
  actsOutside: boolean,
): ToolFailure {
  if (ending.kind === 'timeout' || ending.kind === 'cancelled') {
    if (actsOutside)
      return {
        success: false,
        code: 'UNKNOWN_OUTCOME',
        error: say.unknownOutcome({ tool: tool.title }),
        next: say.unknownOutcomeNext(),
      }
    return ending.kind === 'timeout'
      ? { success: false, code: 'TIMEOUT', error: say.timeout({ tool: tool.title }), next: say.timeoutNext() }
      : { success: false, code: 'CANCELLED', error: say.cancelled({ tool: tool.title }) }
  }
  const error = 'error' in ending ? ending.error : undefined
  if (error instanceof ToolError) {
    const failure: ToolFailure = { success: false, code: error.code, error: textOf(redact(error.message).value) }
    if (error.next !== undefined) failure.next = textOf(redact(error.next).value)
    if (error.details !== undefined) failure.details = redact(error.details).value
    return failure
  }
  context.report({ code: 'TOOL_THREW', message: `tool \`${tool.name}\` threw`, error })
  if (actsOutside)
    return {
      success: false,
      code: 'UNKNOWN_OUTCOME',
      error: say.unknownOutcome({ tool: tool.title }),
      next: say.unknownOutcomeNext(),
    }
  return { success: false, code: 'INTERNAL', error: say.toolThrew({ tool: tool.title }) }
}

function statusOf(
  failure: ToolFailure,
  how: 'threw' | 'timeout' | 'cancelled',
  actsOutside: boolean,
): Exclude<CallStatus, 'running' | 'awaiting_approval'> {
  if (failure.code === 'UNKNOWN_OUTCOME' && actsOutside) return 'unknown'
  if (how === 'cancelled') return 'cancelled'
  return failure.code === 'FORBIDDEN' || failure.code === 'REFUSED' ? 'refused' : 'failed'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
