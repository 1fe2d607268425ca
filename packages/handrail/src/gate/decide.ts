import type { Sentences } from '../language/sentences.ts'
import type { Policy, PolicyContext, Verdict } from '../pack/policy.ts'
import { decideByDefault } from './default-policy.ts'

/**
 * Asks the policies in order, the default first; each sees what stood before it and may be stricter or looser.
 * A policy that throws, or answers something that is no verdict, refuses.
 */
export async function decide(
  context: Omit<PolicyContext, 'byDefault'>,
  policies: readonly Policy[],
  say: Sentences,
  onPolicyError: (error: unknown) => void,
): Promise<Verdict> {
  let verdict = decideByDefault(context, say)
  for (const policy of policies) {
    try {
      verdict = checked(await policy({ ...context, byDefault: verdict }))
    } catch (error) {
      onPolicyError(error)
      return { verdict: 'refuse', reason: say.policyFailed() }
    }
  }
  return verdict
}

function checked(verdict: Verdict): Verdict {
  if (verdict?.verdict === 'allow' || verdict?.verdict === 'ask' || verdict?.verdict === 'refuse') return verdict
  throw new TypeError('a policy must answer allow, ask or refuse')
}
