/** Nobody must act: another worker holds the run now, and what this one wanted to write was not written. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
  readonly code = 'LEASE_LOST'
  readonly isReportable = false

  constructor(runId: string) {
    super(`The lease of run ${runId} is held by another worker`)
  }
}
