import type { Verdict } from '../pack/policy.ts'
import { decide } from './decide.ts'
import type { GateContext } from './gate-context.ts'
import type { GovernedCall } from './governed-call.ts'

/** The policy's answer to one parsed call, with what it needs to know of the conversation. */
export async function judge(
  context: GateContext,
  { request, governed, tool, scope, payload }: GovernedCall,
): Promise<Verdict> {
  const { principal, thread } = request
  const unsettled =
    tool.kind !== 'read' && tool.effect === 'external'
      ? await context.store.calls.unsettled({
          tenantId: principal.tenantId,
          userId: principal.userId,
          threadId: thread?.threadId,
          pack: governed.pack.name,
          toolName: tool.name,
        })
      : []
  const verdict = await decide(
    {
      tool,
      pack: governed.pack.name,
      input: payload.input,
      principal,
      scope,
      thread: { untrusted: thread?.untrusted ?? false, userText: thread?.userText ?? '' },
      unsettled,
    },
    governed.pack.policy ? [governed.pack.policy, ...context.policies] : context.policies,
    governed.say,
    (error) => context.report({ code: 'POLICY_THREW', message: `the policy threw at \`${tool.name}\``, error }),
  )
  if (verdict.verdict === 'ask' && request.canAsk === false)
    return { verdict: 'refuse', reason: governed.say.nobodyToAsk({ tool: tool.title }) }
  return verdict
}
