import { ToolError } from './tool-error.ts'

/** This person may not do this, and may know that it exists. */
export class ForbiddenError extends ToolError {
  override readonly name = 'ForbiddenError'
  constructor(message: string, options: { next?: string; details?: unknown } = {}) {
    super('FORBIDDEN', message, options)
  }
}
