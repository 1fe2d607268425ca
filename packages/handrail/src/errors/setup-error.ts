/** The operator must act: the environment, the data folder or the configuration is not usable as it is. */
export class SetupError extends Error {
  override readonly name = 'SetupError'
  readonly isReportable = true
  /** Stable, for scripts and runbooks: `DATA_FOLDER_IN_USE`, `BAD_ENVIRONMENT` … */
  readonly code: string

  constructor(code: string, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.code = code
  }
}
