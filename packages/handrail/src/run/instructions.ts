import { decideByDefault } from '../gate/default-policy.ts'
import type { GovernedPack } from '../gate/gate-context.ts'
import type { Sentences } from '../language/sentences.ts'
import type { Principal, Scope } from '../principal/principal.ts'
import type { Tool } from '../tool/tool.ts'

/** The instructions of a run: the pack's own, then the tools one may call with their risk. The stable part comes first. */
export function instructionsOf(
  governed: GovernedPack,
  packSection: string,
  tools: readonly Tool[],
  principal: Principal,
  scope: Scope,
): string {
  const { say } = governed
  const sections = [toolSection(governed, tools, principal, scope), packSection.trim()]
  if (tools.some((tool) => tool.kind !== 'read' && tool.risk === 'medium')) sections.push(say.mentionChanges())
  return sections.filter((section) => section !== '').join('\n\n')
}

/**
 * The prompt's section on tools.
 *
 * @example
 * // ## Available Tools
 * // - search_emails: Search emails by keyword (risk: low)
 * // - send_email: Send an email (risk: high, requires approval)
 */
export function toolSection(
  governed: GovernedPack,
  tools: readonly Tool[],
  principal: Principal,
  scope: Scope,
): string {
  const { say, pack } = governed
  if (tools.length === 0) return `${say.toolsHeading()}\n\n${say.noTools()}`
  const lines = tools.map(({ name, description, risk }, index) =>
    say.toolLine({ name, description, risk, requiresApproval: asks(tools[index], pack.name, principal, scope, say) }),
  )
  return [say.toolsHeading(), '', ...lines].join('\n')
}

/** What the default policy says of a tool whatever its arguments; a pack's own policy is asked at each call. */
function asks(tool: Tool | undefined, pack: string, principal: Principal, scope: Scope, say: Sentences): boolean {
  if (tool === undefined) return false
  const context = { tool, pack, input: {}, principal, scope, thread: { untrusted: false, userText: '' }, unsettled: [] }
  return decideByDefault(context, say).verdict === 'ask'
}
