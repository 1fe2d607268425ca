import { outcomeOf } from '../gate/outcome.ts'
import { newId } from '../principal/new-id.ts'
import type { RunStep } from '../store/run-store.ts'
import { type ModelAnswer, modelStep } from './model-step.ts'
import type { RunSession, RunTools } from './run-session.ts'
import { passCalls, showOutcome } from './step-calls.ts'
import { closingTexts } from './ui-messages.ts'

/** What a run does next: another step, nothing until someone decides, or nothing any more. */
export type Advance = 'again' | 'waiting' | 'ended'

/**
 * One step of a run: what is still open of the last one, then one turn of the model, then its calls, each through the
 * gate. Everything it does is recorded under the lease before the next step begins; `lost` on the session means that
 * another holder goes on.
 */
export async function advance(session: RunSession, tools: RunTools): Promise<Advance> {
  const { run, lease } = session
  const { runs } = tools.gate.store
  if (session.abort.signal.aborted) return end(session, tools, 'cancelled', 'cancelled')

  const open = session.openCalls
  if (open.length > 0) {
    await settleOpen(session, tools)
    if (session.abort.signal.aborted) return end(session, tools, 'cancelled', 'cancelled')
  }
  const delivered = await runs.deliverQueued(run.tenantId, lease)
  if (delivered.length > 0) startNextMessage(session, delivered)
  else if (isWaiting(session)) return 'waiting'

  const step = session.lastStep?.runId === run.runId ? session.lastStep.step + 1 : 0
  const mustConclude = step >= tools.limits.steps[run.mode] || session.activeMs >= tools.limits.activeMs[run.mode]
  return mustConclude ? conclude(session, tools, step) : turn(session, tools, step)
}

/** Calls that a step before asked for and that have no outcome yet: after a pause, or after a holder died. */
async function settleOpen(session: RunSession, tools: RunTools): Promise<void> {
  const { run } = session
  for (const { callId } of session.openCalls) {
    const stored = await tools.gate.store.calls.get(run.tenantId, callId)
    if (stored) session.calls.set(callId, stored)
  }
  session.readCache.flush()
  // What waits for a person is left alone: their decision carries it out.
  const unfinished = session.openCalls.filter(({ callId }) => session.calls.get(callId)?.status !== 'awaiting_approval')
  await passCalls(session, tools, unfinished)
}

/** A card is open that nobody has decided, and nobody has said anything else meanwhile. */
function isWaiting(session: RunSession): boolean {
  if (session.lastStep?.runId !== session.run.runId) return false
  const byCard = session.governed.pack.asking !== 'conversation'
  return byCard && session.openCalls.some(({ callId }) => session.calls.get(callId)?.status === 'awaiting_approval')
}

function startNextMessage(session: RunSession, messages: Parameters<RunSession['addMessage']>[0][]): void {
  session.readCache.flush()
  session.channel.close('other')
  for (const message of messages) session.addMessage(message)
  session.channel.open(session.messageId)
}

/** One turn of the model and its calls. */
async function turn(session: RunSession, tools: RunTools, step: number): Promise<Advance> {
  const startedAt = performance.now()
  const answer = await ask(session, tools, session.history(), 'auto')
  if (answer === undefined) return end(session, tools, 'cancelled', 'cancelled')
  if (!(await record(session, tools, { ...answer, step }, startedAt))) return 'ended'
  session.channel.publish({ type: 'finish-step' })
  if (answer.calls.length > 0) {
    const callsAt = performance.now()
    await passCalls(session, tools, answer.calls)
    session.activeMs += performance.now() - callsAt
    return 'again'
  }
  if (answer.text.trim() === '') return conclude(session, tools, step + 1)
  return end(session, tools, 'done', answer.finishReason)
}

/** The last word of a run: without tools, and with a sentence of our own where the model has none. */
async function conclude(session: RunSession, tools: RunTools, step: number): Promise<Advance> {
  const { say } = session.governed
  const startedAt = performance.now()
  const answer = await ask(
    session,
    tools,
    [...session.history(), { role: 'user', content: say.concludeNow() }],
    'none',
  ).catch((error: unknown) => {
    if (error instanceof ModelError) return unsaid
    throw error
  })
  if (answer === undefined) return end(session, tools, 'cancelled', 'cancelled')
  let { text, messages } = answer
  if (text.trim() === '') {
    const done = [...session.calls.values()]
      .filter((call) => call.runId === session.run.runId && call.kind !== 'read' && call.status === 'done')
      .map((call) => call.description)
    text =
      step >= tools.limits.steps[session.run.mode]
        ? say.stepLimitReached({ steps: step, done })
        : say.runEndedWithoutAnswer({ done })
    messages = [{ role: 'assistant', content: text }]
    publishText(session, text)
  }
  if (!(await record(session, tools, { ...answer, messages, calls: [], step }, startedAt))) return 'ended'
  session.channel.publish({ type: 'finish-step' })
  return end(session, tools, 'done', step >= tools.limits.steps[session.run.mode] ? 'step-limit' : 'concluded')
}

/** A last word that could not be had: the model is away, or calls tools although it was told that it has none. */
const unsaid: ModelAnswer = {
  text: '',
  messages: [],
  calls: [],
  finishReason: 'error',
  usage: { inputTokens: 0, outputTokens: 0 },
  durationMs: 0,
}

/** Asks the model; undefined when the run was stopped meanwhile. */
async function ask(
  session: RunSession,
  tools: RunTools,
  messages: ReturnType<RunSession['history']>,
  toolChoice: 'auto' | 'none',
) {
  const { channel } = session
  channel.publish({ type: 'start-step' })
  try {
    return await modelStep({
      model: tools.model,
      instructions: session.instructions,
      messages,
      tools: session.toolSet,
      toolChoice,
      signal: session.abort.signal,
      streams: tools.streams,
      onChunk: (chunk) => channel.publish(chunk),
    })
  } catch (error) {
    channel.publish({ type: 'reset-step' })
    if (session.abort.signal.aborted) return undefined
    throw new ModelError(error)
  }
}

/** The model could not be had: a person must hear of it, and what was done stays done. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'the model gave no answer', { cause })
  }
}

async function record(
  session: RunSession,
  tools: RunTools,
  answer: Pick<RunStep, 'step' | 'messages' | 'calls' | 'finishReason' | 'usage' | 'durationMs'>,
  startedAt: number,
): Promise<boolean> {
  const { run, lease } = session
  session.activeMs += performance.now() - startedAt
  const { model } = tools
  const { step, messages, calls, finishReason, usage, durationMs } = answer
  const row = {
    runId: run.runId,
    step,
    messages,
    calls,
    model: typeof model === 'string' ? model : model.modelId,
    finishReason,
    usage,
    durationMs,
  }
  if (!(await tools.gate.store.runs.recordStep(run.tenantId, lease, row, Math.round(session.activeMs)))) {
    session.lost = true
    return false
  }
  session.addStep({ ...row, position: Number.MAX_SAFE_INTEGER, createdAt: new Date() })
  return true
}

/** Ends the run, or goes on with a message that came in before its end. */
export async function end(
  session: RunSession,
  tools: RunTools,
  status: 'done' | 'failed' | 'cancelled',
  finishReason: string,
  error?: string,
): Promise<Advance> {
  const { run, lease, channel, governed } = session
  const calls = [...session.calls.values()].filter((call) => call.runId === run.runId)
  const ending = {
    status,
    finishReason,
    activeMs: Math.round(session.activeMs),
    ...(error === undefined ? {} : { error }),
  }
  const outcome = await tools.gate.store.runs.end(run.tenantId, lease, ending)
  if (outcome === 'lost') {
    session.lost = true
    return 'ended'
  }
  if (outcome === 'queued') return 'again'
  if (status === 'cancelled') await withdrawOpen(session, tools)
  for (const text of closingTexts({ status, finishReason }, calls, governed.say)) publishText(session, text)
  channel.publish({
    type: 'data-run',
    id: run.runId,
    data: { runId: run.runId, status, step: session.lastStep?.step ?? 0, mode: run.mode, finishReason },
  })
  channel.close(status === 'done' ? 'stop' : status === 'failed' ? 'error' : 'other')
  return 'ended'
}

/** What a stopped run had asked for is not carried out any more. */
async function withdrawOpen(session: RunSession, { gate }: RunTools): Promise<void> {
  const { tenantId } = session.run
  const { say } = session.governed
  for (const { callId, toolName } of session.openCalls) {
    const call = session.calls.get(callId)
    if (call?.status !== 'awaiting_approval' || call.approvalId === undefined) continue
    await gate.store.approvals.withdraw(tenantId, call.approvalId)
    const withdrawn = await gate.store.approvals.get(tenantId, call.approvalId)
    if (withdrawn) session.approvals.set(call.approvalId, withdrawn)
    const title = session.governed.tools.get(toolName)?.title ?? toolName
    const ended = await gate.store.calls.endWaiting(tenantId, callId, {
      status: 'cancelled',
      code: 'CANCELLED',
      description: say.callCancelled({ tool: title }),
    })
    if (ended) showOutcome(session, outcomeOf(session.governed, session.governed.tools.get(toolName), ended))
  }
}

function publishText({ channel }: RunSession, text: string): void {
  const id = newId()
  channel.publish({ type: 'text-start', id })
  channel.publish({ type: 'text-delta', id, delta: text })
  channel.publish({ type: 'text-end', id })
}
