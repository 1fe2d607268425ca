import type { ToolRule } from '../tool-rule.ts'

/** What a tool declares of itself has to go together, because the policy believes it. */
export const declaresItsDangers: ToolRule = {
  title: 'declares effect, egress, untrusted and risk so that they go together',
  problems({ tool, pack }) {
    const { kind, effect, egress, untrusted, risk, approval, idempotent } = tool
    const reachesOutside = pack.services.outside !== undefined
    const problems: string[] = []
    if (effect === 'transaction' && egress) problems.push('a transaction carries nothing out, so it has no `egress`')
    if (kind === 'read' && egress && !untrusted) {
      problems.push('what it reads from outside is outsiders’ text: it should be `untrusted`')
    }
    if (kind === 'read' && egress && !reachesOutside) {
      problems.push('the pack has no services outside, so a read has no `egress`: say so in its `toolFactory`')
    }
    if (effect === 'external' && !reachesOutside) {
      problems.push('the pack has no services outside, so its effect is a `transaction`: say so')
    }
    if (idempotent && effect !== 'external') problems.push('`idempotent` says something of external tools only')
    if (approval === 'never' && risk === 'high') problems.push('it is of high risk and never asks')
    if (kind === 'read' && risk !== 'low' && !egress) problems.push('it only reads, and is not of low risk')
    return problems
  },
}
