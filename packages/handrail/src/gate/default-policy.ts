import type { Sentences } from '../language/sentences.ts'
import type { PolicyContext, Verdict } from '../pack/policy.ts'
import { isNamedByPerson } from './named-by-person.ts'

/**
 * What happens when nobody says otherwise: reads and creates in our database run, updates run and are reported,
 * whatever deletes, acts or reaches outside asks.
 */
export function decideByDefault(context: Omit<PolicyContext, 'byDefault'>, say: Sentences): Verdict {
  const { tool, thread, unsettled, input } = context
  const [earlier] = unsettled
  if (earlier)
    return { verdict: 'ask', reason: say.askUnsettled({ tool: tool.title, description: earlier.description }) }
  if (tool.approval === 'always') return { verdict: 'ask', reason: say.askAlways({ tool: tool.title }) }
  if (tool.approval === 'never') return { verdict: 'allow', report: tool.risk !== 'low' }

  if (tool.kind === 'read') {
    const mayLeak = tool.egress && thread.untrusted && !isNamedByPerson(input, thread.userText)
    return mayLeak ? { verdict: 'ask', reason: say.askAfterUntrusted({ tool: tool.title }) } : { verdict: 'allow' }
  }
  if (tool.kind === 'delete') return { verdict: 'ask', reason: say.askDelete({ tool: tool.title }) }
  if (tool.kind === 'action') return { verdict: 'ask', reason: say.askAction({ tool: tool.title }) }
  if (tool.effect === 'external') return { verdict: 'ask', reason: say.askExternal({ tool: tool.title }) }
  if (tool.egress) return { verdict: 'ask', reason: say.askEgress({ tool: tool.title }) }
  return { verdict: 'allow', report: tool.kind === 'update' || tool.risk !== 'low' }
}
