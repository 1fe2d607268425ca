import type { ErrorCode, ToolCallRecord } from 'handrail'
import { statusOfCode } from './http-error.ts'

/**
 * The answer for a call that has an id: its record, under the status that its outcome has in HTTP. An unknown outcome
 * is a 200, since proxies repeat what ends in a 5xx.
 */
export function callResponse(call: ToolCallRecord): Response {
  return Response.json(call, { status: statusOfCall(call), headers: headersOf(call) })
}

function statusOfCall(call: ToolCallRecord): number {
  if (call.status === 'done' || call.status === 'unknown') return 200
  if (call.status === 'awaiting_approval') return 202
  return statusOfCode[codeOf(call)]
}

/** A call that still runs is in somebody else's hands: its key contradicts this request. */
function codeOf({ status, result }: ToolCallRecord): ErrorCode {
  if (result && !result.success && 'code' in result) return result.code
  return fallback[status]
}

const fallback: Record<ToolCallRecord['status'], ErrorCode> = {
  running: 'CONFLICT',
  awaiting_approval: 'CONFLICT',
  done: 'INTERNAL',
  failed: 'INTERNAL',
  refused: 'REFUSED',
  declined: 'DECLINED',
  expired: 'EXPIRED',
  cancelled: 'CANCELLED',
  unknown: 'UNKNOWN_OUTCOME',
}

function headersOf(call: ToolCallRecord): Record<string, string> {
  if (call.status === 'awaiting_approval' || call.status === 'running') return { location: `/api/calls/${call.callId}` }
  const { result } = call
  if (!result || result.success || !('code' in result) || result.code !== 'RATE_LIMITED') return {}
  const { details } = result
  const retryAt = typeof details === 'object' && details !== null && 'retryAt' in details ? String(details.retryAt) : ''
  return { 'retry-after': retryAfter(new Date(retryAt)) }
}

/** Whole seconds from now, at least one; an hour, the longest window, where nobody knows. */
export function retryAfter(at: Date | undefined): string {
  const seconds = at === undefined ? Number.NaN : Math.ceil((at.getTime() - Date.now()) / 1000)
  return String(Number.isNaN(seconds) ? 3600 : Math.max(1, seconds))
}
