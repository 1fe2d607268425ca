import type { Sentences } from './sentences.ts'

export const en: Sentences = {
  callRunning: ({ tool }) => `Running: ${tool}`,
  callAwaitingApproval: ({ tool }) => `Waiting for approval: ${tool}`,
  callDone: ({ tool }) => `Done: ${tool}`,
  callFailed: ({ tool }) => `Failed: ${tool}`,
  callFailedBecause: ({ tool, reason }) => `Failed: ${tool}. ${reason}`,
  callRefused: ({ tool, reason }) => `Refused: ${tool}. ${reason}`,
  callDeclined: ({ tool }) => `Declined: ${tool}. Nothing was changed`,
  callExpired: ({ tool }) => `Expired before it was carried out: ${tool}. Nothing was changed`,
  callCancelled: ({ tool }) => `Cancelled: ${tool}`,
  callUnknown: ({ tool }) => `Outcome unknown: ${tool}. It may or may not have happened`,

  unknownTool: ({ name }) => `There is no tool \`${name}\`.`,
  nearestTools: ({ names }) =>
    names.length > 0 ? `Did you mean ${list(names, 'or')}?` : 'Use one of the tools you were given.',
  ambiguousTool: ({ name, packs }) =>
    `Several packs have a tool \`${name}\`: ${list(packs, 'and')}. Say which pack is meant.`,
  toolGone: ({ tool }) => `The tool \`${tool}\` is not installed any more.`,
  inputNotJson: () => 'The arguments are not valid JSON.',
  inputNotJsonNext: () => 'Send the arguments as one JSON object.',
  unfitInput: (problem) => {
    switch (problem.kind) {
      case 'too-large':
        return `The arguments are too large: at most ${problem.limit.toLocaleString('en')} bytes of JSON are accepted.`
      case 'too-deep':
        return `The arguments are nested too deeply: at most ${problem.limit} levels are accepted.`
      case 'unsafe-key':
        return `The key \`${problem.key}\` is not accepted.`
      case 'not-json':
        return `${place(problem.path)} holds a value that JSON does not have.`
      case 'control-text':
        return `${place(problem.path)} holds a NUL character or half of a surrogate pair.`
    }
  },
  invalidInput: ({ tool, issues }) =>
    `The arguments of \`${tool}\` are not valid. ${issues.map(({ path, message }) => (path === '' ? message : `\`${path}\`: ${message}`)).join('; ')}.`,
  validationNext: ({ tool }) => `Correct the arguments and call \`${tool}\` again. Nothing was changed.`,

  forbiddenRole: ({ tool, role }) =>
    role === '' ? `You have no role that may use "${tool}".` : `The role ${role} may not use "${tool}".`,
  badScope: ({ pack }) =>
    `What this conversation is about is not set, or not valid for ${pack}. It is chosen by the person.`,
  callNotFound: () => 'This call was not found.',
  approvalNotFound: () => 'This request for approval was not found.',
  threadNotFound: () => 'This conversation was not found.',

  keyReused: ({ tool }) => `This key was already used for "${tool}" with other arguments. Nothing was carried out.`,
  keyReusedNext: () => 'Use a new key for a new call, or repeat the call with exactly the same arguments.',
  inProgress: ({ tool, callId }) => `"${tool}" is already being carried out (call ${callId}).`,
  inProgressNext: ({ callId }) => `Look at call ${callId} for its outcome. Do not start it a second time.`,
  rateLimited: ({ tool, limit, retryAt }) =>
    `The limit of ${limit.toLocaleString('en')} calls an hour is used up; "${tool}" was not carried out.${retryAt ? ` It is possible again after ${moment(retryAt)}.` : ''}`,
  leaseLost: () => 'Another process has taken over this run. Nothing was carried out here.',

  policyFailed: () => 'The rules could not be checked, so nothing was carried out.',
  nobodyToAsk: ({ tool }) =>
    `"${tool}" needs a person's approval, and nobody can be asked here. Nothing was carried out.`,
  askAlways: ({ tool }) => `"${tool}" always needs a person's approval.`,
  askDelete: ({ tool }) => `"${tool}" deletes for good.`,
  askAction: ({ tool }) => `"${tool}" sets something in motion that cannot simply be undone.`,
  askExternal: ({ tool }) => `"${tool}" changes something outside this workspace.`,
  askEgress: ({ tool }) => `"${tool}" can send data out of this workspace.`,
  askAfterUntrusted: ({ tool }) =>
    `"${tool}" can send data out, and this conversation contains text from outside. You did not name where it goes.`,
  askUnsettled: ({ tool, description }) =>
    `An earlier "${tool}" has an unknown outcome and may already have happened: ${description}`,

  timeout: ({ tool }) => `"${tool}" took too long and was stopped. Nothing was changed.`,
  timeoutNext: () => 'Try it once more, or ask for less at a time.',
  unknownOutcome: ({ tool }) => `It is not known whether "${tool}" happened: no answer came back.`,
  unknownOutcomeNext: () => 'Do not repeat it. Say so to the person, who can look outside and settle what happened.',
  cancelled: ({ tool }) => `"${tool}" was cancelled. Nothing was changed.`,
  toolThrew: ({ tool }) => `"${tool}" failed because of an internal error. Nothing was changed.`,
  invalidOutput: ({ tool }) => `"${tool}" gave a result that does not have the promised form.`,
  storeUnavailable: () => 'The database cannot be reached, so nothing was carried out. Try again in a moment.',

  askedByCard: ({ tool }) => `"${tool}" is waiting for a person's approval. Nothing has been carried out yet.`,
  askedInConversation: ({ tool }) =>
    `"${tool}" needs your confirmation. Reply yes to carry it out exactly as shown, or no to drop it.`,
  askedAgainToolChanged: ({ tool }) => `"${tool}" has changed since it was approved, so it has to be approved again.`,
  askedAgainEdited: ({ tool }) =>
    `The arguments of "${tool}" were changed. Here is what it would do now; it has to be approved once more.`,
  withdrawn: ({ tool }) => `The request for "${tool}" was withdrawn: nothing waits for an approval any more.`,
  askedAgainBasisChanged: ({ tool }) =>
    `What "${tool}" would change is not the same any more as when it was approved, so it has to be approved again.`,
  declined: ({ tool, reason }) =>
    `The person declined "${tool}".${reason ? ` Their reason: "${reason}".` : ''} Nothing was changed.`,
  declinedNext: () => 'Do not try it again another way. Ask what the person would like instead.',
  expired: ({ tool }) => `The approval for "${tool}" came too late or not at all. Nothing was changed.`,
  expiredNext: () => 'Call it again if it is still wanted; the person will be asked anew.',
  notAsApproved: ({ tool }) => `What is stored of "${tool}" is not what was approved. Nothing was carried out.`,
  mayNotDecide: () => 'You may not decide on this request.',
  alreadyDecided: ({ by, decision }) =>
    `${by === '' ? 'Someone' : by} has already ${decision === 'approve' ? 'approved' : 'declined'} this.`,
  notUnknown: ({ status }) => `There is nothing to settle: the status of this call is ${status}.`,
  settledHappened: ({ tool }) => `Settled by a person: "${tool}" did happen`,
  settledDidNotHappen: ({ tool }) => `Settled by a person: "${tool}" did not happen`,
  decidedLater: ({ decision, description }) => {
    if (decision === 'expired') return `A request for approval has expired. ${description}`
    return `A waiting request has been ${decision === 'approve' ? 'approved' : 'declined'}. ${description}`
  },

  concludeNow: () =>
    'No more tool calls are possible in this run. Answer now: say what was done, what was not, and what you would do next.',
  stepLimitReached: ({ steps, done }) =>
    `I stopped after ${steps} ${steps === 1 ? 'step' : 'steps'}, the most that is allowed at once. ${doneSoFar(done)}`,
  runFailed: () => 'Something went wrong and I could not finish. What was done so far is listed in the record.',
  modelUnreachable: () => 'The language model cannot be reached at the moment. Please try again in a moment.',
  runCancelled: () => 'Stopped. What was already done stays done; nothing more will be carried out.',
  runEndedWithoutAnswer: ({ done }) => `I have no further answer. ${doneSoFar(done)}`,
  reportHeading: () => 'Changed:',
  reportLine: ({ description }) => `- ${description}`,

  toolsHeading: () => '## Available Tools',
  toolLine: ({ name, description, risk, requiresApproval }) =>
    `- ${name}: ${description} (risk: ${risk}${requiresApproval ? ', requires approval' : ''})`,
  noTools: () => 'No tools are currently available.',
  mentionChanges: () => 'When you have changed something, say in your answer what you changed.',
}

function list(names: readonly string[], conjunction: 'and' | 'or'): string {
  return new Intl.ListFormat('en', { type: conjunction === 'and' ? 'conjunction' : 'disjunction' }).format(
    names.map((name) => `\`${name}\``),
  )
}

function place(path: string): string {
  return path === '' ? 'The input' : `\`${path}\``
}

/** Without a time zone of the person, the time of the record. */
function moment(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function doneSoFar(done: readonly string[]): string {
  return done.length === 0 ? 'Nothing was changed.' : `Done so far:\n${done.map((line) => `- ${line}`).join('\n')}`
}
