/** The person at the terminal must act: the command line could not be read. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'USAGE'
}
