import type { ToolFailure } from '../tool/tool-result.ts'
import { nearestNames } from './nearest-names.ts'

/** The registry was made without a gate. */
export const unboundFailure: ToolFailure = {
  success: false,
  code: 'FORBIDDEN',
  error: 'Nothing was executed: this list of tools is not connected to a gate.',
  next: 'The developer must use a registry from `gate.registry(principal)` or `pack.createTools({ db, principal, scope })`.',
}

/** The gate threw, which it does for nothing that the model, a person or the tool did. Says nothing of the cause. */
export const brokenCallFailure: ToolFailure = {
  success: false,
  code: 'INTERNAL',
  error: 'The call could not be taken to the gate. Whether it had an effect is not known here.',
  next: 'Tell the person, and do not repeat it at once.',
}

export function unknownToolFailure(name: string, names: readonly string[]): ToolFailure {
  const nearest = nearestNames(name, names)
  return {
    success: false,
    code: 'UNKNOWN_TOOL',
    error: `There is no tool \`${name.slice(0, 64)}\`.`,
    next: nearest.length > 0 ? `Nearest names: ${nearest.join(', ')}.` : 'Use one of the tools you were given.',
    details: { nearest },
  }
}
