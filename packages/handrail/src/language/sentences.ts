import type { Risk } from '../tool/tool.ts'
import { de } from './de.ts'
import { en } from './en.ts'

export type Language = 'en' | 'de'

/** Why an input could not be read at all. */
export type UnfitInput =
  | { kind: 'too-large'; limit: number }
  | { kind: 'too-deep'; limit: number }
  | { kind: 'unsafe-key'; key: string }
  | { kind: 'not-json'; path: string }
  | { kind: 'control-text'; path: string }

/** `tool` is a tool's title for people, or its name where only the name is known. */
interface OfTool {
  tool: string
}

/**
 * Every sentence that gate, approvals and runs say to a person or to the model, in one language. Arguments are put in as
 * they are: whoever passes outsiders' text masks and bounds it first.
 */
export interface Sentences {
  /** What a call is or did, one per status. Shown on cards, in lists and in the ledger. */
  callRunning(about: OfTool): string
  callAwaitingApproval(about: OfTool): string
  callDone(about: OfTool): string
  callFailed(about: OfTool): string
  callFailedBecause(about: OfTool & { reason: string }): string
  callRefused(about: OfTool & { reason: string }): string
  callDeclined(about: OfTool): string
  callExpired(about: OfTool): string
  callCancelled(about: OfTool): string
  callUnknown(about: OfTool): string

  /** Finding the tool and reading its input. To the model. */
  unknownTool(about: { name: string }): string
  nearestTools(about: { names: readonly string[] }): string
  ambiguousTool(about: { name: string; packs: readonly string[] }): string
  toolGone(about: OfTool): string
  inputNotJson(): string
  inputNotJsonNext(): string
  unfitInput(problem: UnfitInput): string
  invalidInput(about: OfTool & { issues: readonly { path: string; message: string }[] }): string
  validationNext(about: OfTool): string

  /** Who may. `role` is empty for someone without one. */
  forbiddenRole(about: OfTool & { role: string }): string
  badScope(about: { pack: string }): string
  callNotFound(): string
  approvalNotFound(): string
  threadNotFound(): string

  /** Keys, limits, and calls that are under way. */
  keyReused(about: OfTool): string
  keyReusedNext(): string
  inProgress(about: OfTool & { callId: string }): string
  inProgressNext(about: { callId: string }): string
  rateLimited(about: OfTool & { limit: number; retryAt: Date | undefined }): string
  leaseLost(): string

  /** Refusing and asking: the reason a person reads. */
  policyFailed(): string
  nobodyToAsk(about: OfTool): string
  askAlways(about: OfTool): string
  askDelete(about: OfTool): string
  askAction(about: OfTool): string
  askExternal(about: OfTool): string
  askEgress(about: OfTool): string
  askAfterUntrusted(about: OfTool): string
  askUnsettled(about: OfTool & { description: string }): string

  /** How an execution ended without data. */
  timeout(about: OfTool): string
  timeoutNext(): string
  unknownOutcome(about: OfTool): string
  unknownOutcomeNext(): string
  cancelled(about: OfTool): string
  toolThrew(about: OfTool): string
  invalidOutput(about: OfTool): string
  storeUnavailable(): string

  /** Approvals. */
  askedByCard(about: OfTool): string
  askedInConversation(about: OfTool): string
  askedAgainToolChanged(about: OfTool): string
  askedAgainBasisChanged(about: OfTool): string
  askedAgainEdited(about: OfTool): string
  withdrawn(about: OfTool): string
  declined(about: OfTool & { reason: string | undefined }): string
  declinedNext(): string
  expired(about: OfTool): string
  expiredNext(): string
  notAsApproved(about: OfTool): string
  mayNotDecide(): string
  alreadyDecided(about: { by: string; decision: 'approve' | 'decline' }): string
  notUnknown(about: { status: string }): string
  settledHappened(about: OfTool): string
  settledDidNotHappen(about: OfTool): string
  /** Comes back into the thread after a decision that was made later. */
  decidedLater(about: { decision: 'approve' | 'decline' | 'expired'; description: string }): string

  /** Runs. To a person, in place of or under the model's answer. */
  concludeNow(): string
  stepLimitReached(about: { steps: number; done: readonly string[] }): string
  runFailed(): string
  modelUnreachable(): string
  runCancelled(): string
  runEndedWithoutAnswer(about: { done: readonly string[] }): string
  reportHeading(): string
  reportLine(about: { description: string }): string

  /** The prompt's section on tools. */
  toolsHeading(): string
  toolLine(about: { name: string; description: string; risk: Risk; requiresApproval: boolean }): string
  noTools(): string
  mentionChanges(): string
}

/** The catalogue of a language. */
export function sentencesFor(language: Language): Sentences {
  return language === 'de' ? de : en
}
