import { ToolError } from '../errors/tool-error.ts'
import type { Sentences } from '../language/sentences.ts'
import type { Pack } from '../pack/pack.ts'
import type { Principal, Scope } from '../principal/principal.ts'
import type { Tool } from '../tool/tool.ts'
import type { GateContext } from './gate-context.ts'
import type { GovernedCall } from './governed-call.ts'
import { type Stopped, stop, stoppedBy } from './stopped.ts'

/** May this principal's role call this tool at all? A role the pack does not know may nothing. */
export function mayCall(pack: Pack, tool: Tool, principal: Principal): boolean {
  const role = pack.roleOf(principal)
  if (role === undefined || !Object.hasOwn(pack.roles, role)) return false
  if (tool.roles) return tool.roles.includes(role)
  const grant = pack.roles[role]
  if (grant === undefined) return false
  if (grant === 'all') return true
  return (grant.kinds?.includes(tool.kind) ?? false) || (grant.tools?.includes(tool.name) ?? false)
}

/** Roles and scope; the pack's own rules and its services check what the ids in the arguments belong to. */
export function authorize(
  pack: Pack,
  tool: Tool,
  principal: Principal,
  scope: Scope,
  say: Sentences,
): { scope: Scope } | Stopped {
  if (!mayCall(pack, tool, principal)) {
    return stop('refused', 'FORBIDDEN', say.forbiddenRole({ tool: tool.title, role: pack.roleOf(principal) ?? '' }))
  }
  const parsed = pack.scopeSchema.safeParse(scope)
  if (!parsed.success) return stop('failed', 'VALIDATION', say.badScope({ pack: pack.title }))
  return { scope: parsed.data }
}

/**
 * The pack's rules for this one parsed call, read in a transaction that can change nothing. A rule that breaks refuses,
 * as a policy does.
 */
export async function authorizeInput(
  context: GateContext,
  { governed, tool, scope, payload, principal }: Omit<GovernedCall, 'request'> & { principal: Principal },
): Promise<Stopped | undefined> {
  const { pack } = governed
  if (pack.authorize === undefined) return undefined
  try {
    await context.store.calls.read(principal.tenantId, async ({ db }) =>
      pack.authorize?.({ db, principal, scope, tool, input: payload.input }),
    )
    return undefined
  } catch (error) {
    if (error instanceof ToolError) return stoppedBy(error)
    context.report({ code: 'RULE_THREW', message: `the pack's rules threw at \`${tool.name}\``, error })
    return stop('refused', 'REFUSED', governed.say.policyFailed())
  }
}
