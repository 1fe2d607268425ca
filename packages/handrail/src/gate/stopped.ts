import type { ErrorCode } from '../errors/error-code.ts'
import type { ToolError } from '../errors/tool-error.ts'
import type { CallStatus } from '../ledger/call-record.ts'
import type { ToolFailure } from '../tool/tool-result.ts'

/** A stage's answer when the call goes no further: how it ended and what the model reads. */
export interface Stopped {
  stopped: true
  status: Exclude<CallStatus, 'running' | 'awaiting_approval' | 'done'>
  failure: ToolFailure
}

export function stop(
  status: Stopped['status'],
  code: ErrorCode,
  error: string,
  more: { next?: string; details?: unknown } = {},
): Stopped {
  const failure: ToolFailure = { success: false, error, code }
  if (more.next !== undefined) failure.next = more.next
  if (more.details !== undefined) failure.details = more.details
  return { stopped: true, status, failure }
}

export function isStopped(value: object): value is Stopped {
  return 'stopped' in value
}

/** What a service said no to before anything was executed. */
export function stoppedBy({ code, message, next, details }: ToolError): Stopped {
  const more = { ...(next === undefined ? {} : { next }), ...(details === undefined ? {} : { details }) }
  return stop(code === 'FORBIDDEN' ? 'refused' : 'failed', code, message, more)
}
