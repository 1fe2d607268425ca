import type { Pack } from '../pack/pack.ts'
import { Bench, type BenchOptions } from './contract/bench.ts'
import type { CheckReport } from './contract/tool-rule.ts'
import { toolRules } from './contract/tool-rules.ts'
import type { PackTestDatabase } from './pack-test-database.ts'

/**
 * Examines every tool of a pack by the contract, without a test framework. A rule that throws is a problem too.
 *
 * @param onReport is told each result as soon as it is there
 * @returns one report per tool and rule that applies to it; kept rules have no `problems`
 * @example
 * const reports = await runPackChecks(gameplan, await openPackDatabase(gameplan))
 * reports.filter(({ problems }) => problems.length > 0) // []
 */
export async function runPackChecks(
  pack: Pack,
  database: PackTestDatabase,
  options: BenchOptions & { onReport?: (report: CheckReport) => void } = {},
): Promise<CheckReport[]> {
  const bench = new Bench(pack, database, options)
  const reports: CheckReport[] = []
  for (const tool of pack.tools) {
    for (const rule of toolRules) {
      if (rule.appliesTo && !rule.appliesTo(tool)) continue
      const report = { pack: pack.name, tool: tool.name, rule: rule.title, problems: await found() }
      reports.push(report)
      options.onReport?.(report)

      async function found(): Promise<string[]> {
        try {
          return await rule.problems({ tool, pack, bench })
        } catch (error) {
          return [`it could not be examined: ${error instanceof Error ? error.message : String(error)}`]
        }
      }
    }
  }
  return reports
}
