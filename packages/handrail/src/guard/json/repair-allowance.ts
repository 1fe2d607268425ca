/** What mending broken JSON may cost within one message, so that no message costs more than in proportion to its length. */
export interface RepairAllowance {
  /** How often parsing may still fail: each failure throws, which takes as long as parsing kilobytes. */
  failures: number
  /** Characters that may be mended in ways that take time in proportion to the text. */
  mending: number
  /** Characters for jsonrepair: version 3.15 takes quadratic time on some inputs (340 kB of trailing commas: 4 s). */
  lastResort: number
}

export function repairAllowance(): RepairAllowance {
  return { failures: 300, mending: 200_000, lastResort: 16_384 }
}
