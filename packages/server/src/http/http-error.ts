import type { ErrorCode } from 'handrail'

/** What an answer without a call says; the gate's own codes, and those of the door. */
export type HttpErrorCode =
  | ErrorCode
  | 'UNAUTHENTICATED'
  | 'METHOD_NOT_ALLOWED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'

export interface ErrorBody {
  error: { code: HttpErrorCode; message: string; details?: unknown }
}

/** The client must act. Pinned: clients rely on the numbers. */
export const statusOfCode = {
  VALIDATION: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  REFUSED: 403,
  DECLINED: 403,
  UNKNOWN_TOOL: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  EXPIRED: 409,
  CANCELLED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  TIMEOUT: 504,
  // Proxies repeat what ended in a 5xx; an unknown outcome must not be repeated.
  UNKNOWN_OUTCOME: 200,
} as const satisfies Record<HttpErrorCode, number>

/** Thrown by routes where a request cannot be met; becomes `{ error: { code, message, details? } }`. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly code: HttpErrorCode
  readonly details: unknown
  readonly headers: Record<string, string>

  constructor(
    code: HttpErrorCode,
    message: string,
    options: { details?: unknown; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.code = code
    this.details = options.details
    this.headers = options.headers ?? {}
  }

  get status(): number {
    return statusOfCode[this.code]
  }

  get body(): ErrorBody {
    const { code, message, details } = this
    return { error: { code, message, ...(details === undefined ? {} : { details }) } }
  }

  toResponse(): Response {
    return Response.json(this.body, { status: this.status, headers: this.headers })
  }
}
