import { ToolError } from './tool-error.ts'

/** A missing thing and a thing of others are the same to the caller. */
export class NotFoundError extends ToolError {
  override readonly name = 'NotFoundError'
  constructor(what: string, options: { next?: string; details?: unknown } = {}) {
    super('NOT_FOUND', `${what} was not found`, options)
  }
}
