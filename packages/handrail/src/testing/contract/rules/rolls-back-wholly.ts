import { createGate } from '../../../gate/gate.ts'
import { asAgent } from '../../../principal/principal.ts'
import type { Store } from '../../../store/store.ts'
import type { ToolRule } from '../tool-rule.ts'
import { changedTables } from '../trace.ts'

/** The promise of `effect: 'transaction'`: the effect lies wholly in the transaction that was handed over. */
export const rollsBackWholly: ToolRule = {
  title: 'leaves nothing when its transaction is rolled back, and does no network',
  appliesTo: ({ effect }) => effect === 'transaction',
  async problems({ tool, bench, pack }) {
    const problems: string[] = []
    for (const { name, hosts } of await bench.exampleRuns(tool)) {
      if (hosts.length > 0)
        problems.push(`${name} spoke to ${hosts.join(', ')}: an effect outside cannot be rolled back`)
    }
    const good = await bench.goodExample(tool)
    if (good === undefined) return [...problems, 'there is no good example to roll back']
    const workspace = await bench.untouched()
    const input = good.example.input(workspace.demo as never) // the pack's own demo, whose type the tool no longer knows
    const scope = good.example.scope?.(workspace.demo as never) ?? workspace.scope // as above
    const reached = { end: false }
    const gate = createGate({
      packs: [pack],
      store: rollingBack(bench.database.store, reached),
      policy: () => ({ verdict: 'allow' }),
      report: () => {},
    })
    const principal = asAgent(workspace.as(good.as))
    const before = await bench.database.snapshot()
    await gate.call({ name: tool.name, input, scope, principal, pack: pack.name })
    if (!reached.end) problems.push('it did not get as far as its commit')
    const changed = changedTables(before, await bench.database.snapshot())
    if (changed.length > 0) problems.push(`rolled back, it still changed ${changed.join(', ')}`)
    return problems
  },
}

/** The same store, but every effect is undone at the moment before its commit. */
function rollingBack(store: Store, reached: { end: boolean }): Store {
  return {
    ...store,
    calls: {
      ...store.calls,
      transact: (fence, effect) =>
        store.calls.transact(fence, async (transaction) => {
          await effect(transaction)
          reached.end = true
          throw new Error('the contract rolls this back')
        }),
    },
  }
}
