/** The operator must act: the store could not be reached or refused what it must accept. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code = 'STORE_UNAVAILABLE'
  readonly isReportable = true
}
