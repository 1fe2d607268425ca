import type { CallPayload, StoredCall } from '../ledger/call-record.ts'
import type { Principal } from '../principal/principal.ts'
import type { Tool } from '../tool/tool.ts'
import { authorize, authorizeInput } from './authorize.ts'
import type { GateContext, GovernedPack } from './gate-context.ts'
import { isStopped, type Stopped, stop } from './stopped.ts'

/**
 * May a stored call still be carried out? Asked of the person as they stand now: gone, moved to another role, or barred
 * by the pack's rules since, the answer is no.
 */
export async function authorizeAgain(
  context: GateContext,
  governed: GovernedPack,
  tool: Tool,
  call: StoredCall,
  payload: CallPayload,
): Promise<{ principal: Principal } | Stopped> {
  const principal = await context.currentPrincipal(call.principal)
  if (principal === undefined) {
    return stop('refused', 'FORBIDDEN', governed.say.forbiddenRole({ tool: tool.title, role: '' }))
  }
  const authorized = authorize(governed.pack, tool, principal, call.scope, governed.say)
  if (isStopped(authorized)) return authorized
  const ruled = await authorizeInput(context, { governed, tool, scope: call.scope, payload, principal })
  return ruled ?? { principal }
}
