import { readConfirmation } from '../approval/read-confirmation.ts'
import { answerOf } from './answer.ts'
import { isUnderstood, type Misunderstanding, readMessage, type Understanding } from './clauses.ts'
import { introduction, isGreeting, notUnderstood } from './explain.ts'
import { isInquiry, nearestRead } from './nearest-read.ts'
import type { OfferedTool } from './offered-tools.ts'
import { carryOut, type Ending } from './plan.ts'
import { isScript, parseScript, runScript } from './script.ts'
import { type Token, tokenise, tokeniseWithTail } from './tokenise.ts'
import type { PastCall, PlannedCall, Transcript } from './transcript.ts'
import { isWriteWord, moodWords, orderVerbs } from './vocabulary.ts'

/** What the interpreter does next: make calls, or say something and be done. */
export type Turn = { kind: 'calls'; calls: PlannedCall[] } | { kind: 'text'; text: string }

/**
 * Decides the next turn from what any model sees. Only the newest message of the person is read as a request; what is in
 * results is data. The plan for that message is made anew each time and played against the calls already made.
 */
export function interpret(transcript: Transcript, tools: readonly OfferedTool[], modelHint: string): Turn {
  const { userText, steps, earlier } = transcript
  if (isScript(userText)) return playScript(userText, steps, tools)
  const results = answerOf(
    steps.flat().map((call) => answered(call, tools)),
    undefined,
  )
  if (tools.length === 0) return { kind: 'text', text: results === '' ? introduction(tools, modelHint) : results }
  if (isGreeting(userText)) return { kind: 'text', text: results === '' ? introduction(tools, modelHint) : results }

  const whole = tokenise(userText)
  const result = understand(userText, tools)
  if (isUnderstood(result)) {
    const played = play(carryOut(result, tools, earlier.at(-1) ?? []), steps)
    return played.kind === 'ending' ? { kind: 'text', text: endingText(played.ending) } : playedTurn(played, results)
  }
  if (readConfirmation(userText, 'en') !== 'other')
    return { kind: 'text', text: replyText(earlier.at(-1) ?? [], tools) }
  if (isInquiry(whole)) {
    const played = play(nearestRead(whole, tools), steps)
    if (played.kind !== 'ending') return playedTurn(played, results)
    if (played.ending) return { kind: 'text', text: endingText(played.ending) }
  }
  return { kind: 'text', text: notUnderstood(userText, result, tools, modelHint) }
}

const lastUnderstood = new WeakMap<readonly OfferedTool[], { text: string; result: Understanding | Misunderstanding }>()

/** Reads a message, once for all the steps that it takes. */
function understand(text: string, tools: readonly OfferedTool[]): Understanding | Misunderstanding {
  const last = lastUnderstood.get(tools)
  if (last?.text === text) return last.result
  const withTail = tokeniseWithTail(text)
  const tailResult = withTail && readMessage(withTail, tools)
  const read = tailResult && isUnderstood(tailResult) ? tailResult : readMessage(tokenise(text), tools)
  const result = isUnderstood(read) ? read : (readBehindLeadIn(tokenise(text), tools) ?? read)
  lastUnderstood.set(tools, { text, result })
  return result
}

const leadIn = /^(hi|hello|hey|hallo|moin|i was|i am|i'm|i've been|i have been) [^,.!?\n]+$/

/** A question behind a greeting or a word about oneself: *I was away all week, show me …*. Never an order to change something. */
function readBehindLeadIn(tokens: readonly Token[], tools: readonly OfferedTool[]): Understanding | undefined {
  const end = tokens.findIndex(({ kind, text }) => kind === 'mark' && /^[,.!\n]$/.test(text))
  const before = tokens.slice(0, Math.max(end, 0))
  if (!leadIn.test(before.map(({ lower }) => lower).join(' '))) return undefined
  const isPlain = before.every(
    ({ kind, lower }) => kind === 'word' && !moodWords.has(lower) && !orderVerbs.has(lower) && !isWriteWord(lower),
  )
  const result = isPlain ? readMessage(tokens.slice(end + 1), tools) : undefined
  if (!result || !isUnderstood(result)) return undefined
  const isRead = result.clauses.every(({ readings }) => readings.every(({ tool }) => tool.kind === 'read'))
  return isRead ? result : undefined
}

function playedTurn(played: { kind: 'calls'; calls: PlannedCall[] } | { kind: 'lost' }, results: string): Turn {
  return played.kind === 'calls' ? { kind: 'calls', calls: played.calls } : { kind: 'text', text: results }
}

function endingText({ done, stopped }: Ending): string {
  const calls = done.map(({ request, result }) => ({
    tool: request.tool,
    toolName: request.tool.name,
    summary: request.summary,
    result,
  }))
  return answerOf(
    calls,
    stopped === undefined || done.length > 0
      ? stopped
      : `${stopped}${/[.!?]$/.test(stopped) ? '' : '.'} I changed nothing.`,
  )
}

/** A yes or a no is read by the gate, before any model; what is left to say is how the calls of the turn before stand now. */
function replyText(lastTurn: readonly PastCall[], tools: readonly OfferedTool[]): string {
  const calls = lastTurn.map((call) => answered(call, tools)).filter(({ tool }) => tool?.kind !== 'read')
  if (calls.length === 0) return 'There is nothing that I could do with that: no question of mine is open.'
  const isWaiting = calls.some(({ result }) => 'requiresConfirmation' in result)
  return answerOf(
    calls,
    isWaiting ? 'It is still undecided: please decide on its card. I cannot approve anything myself.' : undefined,
  )
}

/** What has been done so far, when no tool may be called any more. */
export function conclude(
  { steps, earlier, isInterjected, userText }: Transcript,
  tools: readonly OfferedTool[],
  modelHint: string,
): string {
  const calls = steps.length === 0 && isInterjected ? (earlier.at(-1) ?? []) : steps.flat()
  if (calls.length === 0)
    return isGreeting(userText) ? introduction(tools, modelHint) : 'I may not call tools here, so I did nothing.'
  return answerOf(
    calls.map((call) => answered(call, tools)),
    'I stop here because no further tool calls are possible in this run; anything else you asked for was not done.',
  )
}

function playScript(message: string, steps: PastCall[][], tools: readonly OfferedTool[]): Turn {
  const script = parseScript(message)
  if (typeof script === 'string') return { kind: 'text', text: script }
  const played = play(runScript(script), steps)
  if (played.kind === 'calls') return { kind: 'calls', calls: played.calls }
  const done = played.kind === 'lost' ? steps.flat() : played.ending.done
  const text = answerOf(
    done.map((call) => answered(call, tools)),
    played.kind === 'lost' ? undefined : played.ending.stopped,
  )
  return { kind: 'text', text: text === '' ? 'There was nothing to call.' : text }
}

function answered(call: PastCall, tools: readonly OfferedTool[]) {
  const tool = tools.find(({ name }) => name === call.toolName)
  return { tool, toolName: call.toolName, summary: `call \`${call.toolName}\``, result: call.result }
}

type Played<Ending> = { kind: 'calls'; calls: PlannedCall[] } | { kind: 'ending'; ending: Ending } | { kind: 'lost' }

/** Plays a plan against the recorded steps. `lost`: what is recorded is not what the plan would have called. */
function play<Ending>(
  plan: Generator<PlannedCall[], Ending, PastCall[]>,
  steps: readonly PastCall[][],
): Played<Ending> {
  let state = plan.next()
  for (const step of steps) {
    if (state.done) return { kind: 'ending', ending: state.value }
    const planned = state.value
    if (planned.length !== step.length || planned.some((call, index) => call.toolName !== step[index]?.toolName))
      return { kind: 'lost' }
    state = plan.next(step)
  }
  return state.done ? { kind: 'ending', ending: state.value } : { kind: 'calls', calls: state.value }
}
