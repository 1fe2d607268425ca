import { ToolError } from './tool-error.ts'

/** A rule of the domain that the schema cannot express. */
export class InvalidInputError extends ToolError {
  override readonly name = 'InvalidInputError'
  constructor(message: string, options: { next?: string; details?: unknown } = {}) {
    super('VALIDATION', message, options)
  }
}
