/** The person at the terminal must act: no Handrail server answers where one was expected. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
  readonly code = 'UNREACHABLE'

  constructor(url: string, cause: unknown) {
    super(`No Handrail server answers at ${url}. Start one with \`npm start\`, or name another with --url.`, { cause })
  }
}
