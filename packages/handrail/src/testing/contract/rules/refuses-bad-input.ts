import { badInputs } from '../bad-inputs.ts'
import type { ToolRule } from '../tool-rule.ts'
import { changedTables, told } from '../trace.ts'

export const refusesBadInput: ToolRule = {
  title: 'refuses bad input by naming what is wrong, and changes nothing',
  async problems({ tool, bench }) {
    const good = await bench.goodExample(tool)
    if (good === undefined) return ['there is no good example to spoil']
    const workspace = await bench.untouched()
    const input = good.example.input(workspace.demo as never) // the pack's own demo, whose type the tool no longer knows
    const before = await bench.database.snapshot()
    const problems: string[] = []
    for (const { what, value, names } of badInputs(tool, input)) {
      const outcome = await workspace.call(tool.name, value, { as: good.as, scope: good.scope })
      const { result } = outcome
      if (!('code' in result) || result.code !== 'VALIDATION') {
        problems.push(`${what}: should be VALIDATION, but ${told(outcome)}`)
      } else if (names !== undefined && !result.error.includes(names)) {
        problems.push(`${what}: the message does not name \`${names}\`: ${result.error}`)
      }
    }
    const changed = changedTables(before, await bench.database.snapshot())
    if (changed.length > 0) problems.push(`bad input changed ${changed.join(', ')}`)
    return problems
  },
}
