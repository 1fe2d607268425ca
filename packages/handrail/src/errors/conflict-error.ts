import { ToolError } from './tool-error.ts'

/** The request contradicts what is stored: a taken slug, a frozen plan, a changed version. */
export class ConflictError extends ToolError {
  override readonly name = 'ConflictError'
  constructor(message: string, options: { next?: string; details?: unknown } = {}) {
    super('CONFLICT', message, options)
  }
}
