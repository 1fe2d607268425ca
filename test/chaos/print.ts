import type { ChaosOptions } from './options.ts'
import type { Outcome } from './stress.ts'

const shownViolations = 5

/** What a run says on the terminal. */
export const print = {
  head({ seconds, seed, databases }: ChaosOptions): void {
    console.log(`chaos: ${databases.join(', then ')}, ${seconds} s each, seed ${seed}`)
  },

  outcome({ kind, claims, counts, harm, seconds }: Outcome): void {
    console.log(`\n${kind}\n  seconds: ${listOf(seconds)}`)
    for (const [what, values] of Object.entries(counts)) console.log(`  ${what}: ${listOf(values)}`)
    console.log(`  harm: ${listOf(harm)}`)
    for (const { claim, looked, violations } of claims) {
      console.log(`  ${violations.length === 0 ? 'ok      ' : 'VIOLATED'} ${claim} (${looked})`)
      for (const violation of violations.slice(0, shownViolations)) console.log(`             ${violation}`)
      if (violations.length > shownViolations)
        console.log(`             and ${violations.length - shownViolations} more`)
    }
  },

  failed({ seed, seconds }: ChaosOptions, { kind, folder }: Outcome): void {
    console.log(`\nFAILED. Again: npm run chaos -- --database ${kind} --seconds ${seconds} --seed ${seed}`)
    console.log(`history.jsonl, starts.jsonl and the processes' own words are in ${folder}`)
  },

  held({ seed }: ChaosOptions): void {
    console.log(`\nevery claim held (seed ${seed})`)
  },
}

function listOf(values: Readonly<Record<string, number>>): string {
  const parts = Object.entries(values).map(([name, count]) => `${name} ${count}`)
  return parts.length > 0 ? parts.join(', ') : 'none'
}
