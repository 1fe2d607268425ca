import { createGate } from '../../../gate/gate.ts'
import { asAgent } from '../../../principal/principal.ts'
import type { Subject, ToolRule } from '../tool-rule.ts'
import { type Trace, told, trace } from '../trace.ts'

/** Refused in every way a call can be: by its example, by the policy, for want of a role. */
export const refusalsChangeNothing: ToolRule = {
  title: 'changes nothing when it is refused',
  async problems({ tool, bench, pack }) {
    const problems: string[] = []
    for (const { name, example, changed } of await bench.exampleRuns(tool)) {
      if (example.refuses !== undefined && changed.length > 0) problems.push(`${name} changed ${changed.join(', ')}`)
    }
    const refused = await refuse({ tool, bench, pack })
    for (const [how, code, { outcome, changed, entries }] of refused) {
      if (!('code' in outcome.result) || outcome.result.code !== code) {
        problems.push(`${how}: should be ${code}, but ${told(outcome)}`)
      }
      if (changed.length > 0) problems.push(`${how}: changed ${changed.join(', ')}`)
      if (entries.some(({ event }) => event === 'started')) problems.push(`${how}: it was started`)
    }
    return problems
  },
}

async function refuse({ tool, bench, pack }: Subject): Promise<[how: string, code: string, Trace][]> {
  const good = await bench.goodExample(tool)
  if (good === undefined) return []
  const workspace = await bench.untouched()
  const input = good.example.input(workspace.demo as never) // the pack's own demo, whose type the tool no longer knows
  const scope = good.example.scope?.(workspace.demo as never) ?? workspace.scope // as above
  const principal = asAgent(workspace.as(good.as))
  const request = { name: tool.name, pack: pack.name, input, scope, principal }
  const refuseAll = createGate({
    packs: [pack],
    store: bench.database.store,
    policy: () => ({ verdict: 'refuse', reason: 'the contract refuses everything' }),
  })
  const stranger = { ...principal, userId: 'stranger', roles: [] }
  return [
    ['refused by the policy', 'REFUSED', await trace(workspace, () => refuseAll.call(request))],
    [
      'called without a role',
      'FORBIDDEN',
      await trace(workspace, () => workspace.gate.call({ ...request, principal: stranger })),
    ],
  ]
}
