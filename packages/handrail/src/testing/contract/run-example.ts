import { randomUUID } from 'node:crypto'
import type { Scope } from '../../principal/principal.ts'
import type { Tool, ToolExample } from '../../tool/tool.ts'
import { isAsking } from '../../tool/tool-result.ts'
import type { TestPack } from '../test-pack.ts'
import { type Trace, trace } from './trace.ts'
import { watchNetwork } from './watch-network.ts'

/** What became of an example. */
export interface ExampleRun extends Trace {
  example: ToolExample<never>
  /** `example 1`, for people. */
  name: string
  input: unknown
  scope: Scope
  as: string
  /** Given when it asked: how it stood then, and the same call asked and declined. */
  asking: { waiting: Trace; declined: Trace } | undefined
  /** Who was spoken to over the network meanwhile. */
  hosts: string[]
}

/** Approvals that arrive at once must lead to one execution. */
const decisionsAtOnce = 3

/** Carries out an example as its person would have it. What asks is also declined once, and approved several times at once. */
export async function runExample(
  workspace: TestPack,
  tool: Tool,
  example: ToolExample<never>,
  name: string,
): Promise<ExampleRun> {
  const { as = 'alice' } = example
  const input = example.input(workspace.demo as never) // the pack's own demo, whose type the tool no longer knows
  const scope = example.scope?.(workspace.demo as never) ?? workspace.scope // as above
  const idempotencyKey = randomUUID()
  const call = () => workspace.call(tool.name, input, { as, scope, idempotencyKey })

  const network = watchNetwork()
  try {
    const first = await trace(workspace, call)
    const about = { example, name, input, scope, as, hosts: network.hosts }
    if (!isAsking(first.outcome.result)) return { ...first, ...about, asking: undefined }
    const declined = await trace(workspace, () => workspace.call(tool.name, input, { as, scope, approve: false }))
    const { approvalId } = first.outcome.result
    const done = await trace(workspace, async () => {
      const decision = { approvalId, decision: 'approve' as const, principal: workspace.as(as) }
      await Promise.all(Array.from({ length: decisionsAtOnce }, () => workspace.gate.decide(decision)))
      return call()
    })
    return { ...done, ...about, asking: { waiting: first, declined } }
  } finally {
    network.stop()
  }
}
