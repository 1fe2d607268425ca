import type { ErrorCode } from '../errors/error-code.ts'

/** Where a fact came from. Every read names its sources. */
export interface Source {
  table?: string
  id?: string
  query?: string
  chunkIds?: string[]
  url?: string
}

export interface ToolSuccess<Data = unknown> {
  success: true
  data: Data
  message: string
  sources?: Source[]
}

export interface ToolFailure {
  success: false
  error: string
  code: ErrorCode
  /** What would work instead. */
  next?: string
  details?: unknown
  sources?: Source[]
}

export interface ToolAsking {
  success: false
  requiresConfirmation: true
  approvalId: string
  message: string
  preview?: unknown
}

/** What every call resolves to, whatever happens. */
export type ToolResult<Data = unknown> = ToolSuccess<Data> | ToolFailure | ToolAsking

export function isAsking(result: ToolResult): result is ToolAsking {
  return 'requiresConfirmation' in result
}
