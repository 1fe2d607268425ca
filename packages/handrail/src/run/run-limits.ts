/** How far a run goes before it must answer. */
export interface RunLimits {
  /** Steps that call tools; the answer that concludes comes on top. */
  steps: Record<'inline' | 'background', number>
  /** Milliseconds of active time: waiting for a person does not count. */
  activeMs: Record<'inline' | 'background', number>
  /** Runs a person may start in an hour. */
  runsPerHour: number
  /** How long a holder may be silent before others take the run over, and how often it renews. */
  leaseMs: number
  renewMs: number
}

export const defaultRunLimits: RunLimits = {
  steps: { inline: 5, background: 20 },
  activeMs: { inline: 30_000, background: 180_000 },
  runsPerHour: 60,
  leaseMs: 8_000,
  renewMs: 2_000,
}
