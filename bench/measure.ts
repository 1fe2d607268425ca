/** Two or more ways of doing the same, timed in turns within one process, so that what the machine does meets all alike. */
export interface Contender {
  name: string
  /** Does the work once, and says how many units it was. */
  work: () => Promise<number> | number
}

export interface Measured {
  name: string
  /** Median of all rounds, microseconds per unit. */
  median: number
  minimum: number
  maximum: number
}

/** @param rounds how often each contender takes its turn; the first quarter warms up and does not count */
export async function measure(contenders: readonly Contender[], rounds: number): Promise<Measured[]> {
  const times = contenders.map((): number[] => [])
  const warmUp = Math.ceil(rounds / 4)
  for (let round = 0; round < rounds + warmUp; round++) {
    for (const [index, { work }] of contenders.entries()) {
      const start = performance.now()
      const units = await work()
      if (round >= warmUp) times[index]?.push(((performance.now() - start) * 1000) / units)
    }
  }
  return contenders.map(({ name }, index) => {
    const sorted = (times[index] ?? []).sort((a, b) => a - b)
    return { name, median: sorted[sorted.length >> 1] ?? 0, minimum: sorted[0] ?? 0, maximum: sorted.at(-1) ?? 0 }
  })
}

export function ratio(of: Measured | undefined, to: Measured | undefined): string {
  return of && to ? `${(of.median / to.median).toFixed(2)}×` : '–'
}

export function printTable(title: string, header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((text, column) => Math.max(text.length, ...rows.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  console.log(`\n${title}\n${line(header)}\n${widths.map((width) => '-'.repeat(width)).join('  ')}`)
  for (const row of rows) console.log(line(row))
}
