/** What mending broken JSON may cost within one message, in characters, so that no message costs more than its length. */
export interface RepairAllowance {
  /** For what takes time in proportion to the text. */
  mending: number
  /** For jsonrepair: version 3.15 takes quadratic time on some inputs (340 kB of trailing commas: 4 s). */
  lastResort: number
}

export function repairAllowance(): RepairAllowance {
  return { mending: 200_000, lastResort: 16_384 }
}
