import type { ErrorCode } from './error-code.ts'

/**
 * The model must act: thrown by services and tools when a request cannot be met, and turned into a `ToolFailure`.
 * Says what would work in `next`.
 */
export class ToolError extends Error {
  override readonly name: string = 'ToolError'
  readonly isReportable = false
  readonly code: ErrorCode
  readonly next: string | undefined
  readonly details: unknown

  constructor(code: ErrorCode, message: string, options: { next?: string; details?: unknown; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.next = options.next
    this.details = options.details
  }
}
