/** Which run to wake. */
export interface RunRef {
  tenantId: string
  runId: string
}

/**
 * Wakes runs: at least once, in any process, duplicates harmless. It carries no state of a run; what it loses, the
 * reconciler derives again from the rows.
 */
export interface RunDriver {
  start(handler: (run: RunRef) => Promise<void>): Promise<void>
  wake(run: RunRef): Promise<void>
  wakeAt(run: RunRef, at: Date): Promise<void>
  stop(): Promise<void>
}
