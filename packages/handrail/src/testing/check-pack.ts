import type { Pack } from '../pack/pack.ts'
import { Bench, type BenchOptions } from './contract/bench.ts'
import { toolRules } from './contract/tool-rules.ts'
import type { PackTestDatabase } from './pack-test-database.ts'

/**
 * Registers the contract as vitest tests: one per tool and rule that applies to it. Call it at the top of a test file,
 * and await it. Vitest is loaded here and nowhere else in this module, so that others may use the rest of it without.
 *
 * @param openDatabase opens a database that nobody else uses; it is closed after the last test
 * @example
 * await checkPack(gameplan, () => openPackDatabase(gameplan))
 */
export async function checkPack(
  pack: Pack,
  openDatabase: () => Promise<PackTestDatabase>,
  options: BenchOptions & { timeoutMs?: number; name?: string } = {},
): Promise<void> {
  const { afterAll, beforeAll, describe, expect, it } = await import('vitest')
  const { timeoutMs = 30_000, name = pack.name } = options
  describe(`contract: ${name}`, { timeout: timeoutMs }, () => {
    let bench: Bench | undefined
    beforeAll(async () => {
      bench = new Bench(pack, await openDatabase(), options)
    }, timeoutMs)
    afterAll(async () => {
      await bench?.database.close()
    }, timeoutMs)
    for (const tool of pack.tools) {
      describe(tool.name, () => {
        for (const rule of toolRules) {
          if (rule.appliesTo && !rule.appliesTo(tool)) continue
          it(rule.title, async () => {
            if (bench === undefined) throw new Error('the database is not open')
            expect(await rule.problems({ tool, pack, bench })).toEqual([])
          })
        }
      })
    }
  })
}
