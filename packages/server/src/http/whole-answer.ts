import { setTimeout } from 'node:timers/promises'
import type { Principal, RunChunk, RunMessage, ThreadView } from 'handrail'
import type { ServerContext } from '../context.ts'
import { chunksOfStep, outcomesOf, stepsOf } from './record-chunks.ts'

const lookEveryMs = 300
/** Beyond this a reader gets what stands and asks again. */
const longestMs = 5 * 60_000

export interface AnswerOf {
  principal: Principal
  threadId: string
  /** The message that is answered, or the answer itself, as far as it is known which. */
  userMessageId?: string
  messageId?: string
  /** What the client has of the answer: its steps, and ids of calls without an outcome. */
  shown?: { steps: number; openCalls: readonly string[] }
}

/**
 * An answer to its end, whoever writes it. While this process does, its stream is passed on; where that stream ends
 * and another process goes on (after a crash, or because it took the decision up first), the rest is read from the
 * record, step by step.
 */
export function wholeAnswer(
  context: Pick<ServerContext, 'engine' | 'closing'>,
  live: ReadableStream<RunChunk>,
  answer: AnswerOf,
): ReadableStream<RunChunk> {
  const chunks = completed(context, live, answer)
  return new ReadableStream<RunChunk>({
    async pull(controller) {
      const { value, done } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}

async function* completed(
  context: Pick<ServerContext, 'engine' | 'closing'>,
  live: ReadableStream<RunChunk>,
  answer: AnswerOf,
): AsyncGenerator<RunChunk, undefined> {
  const seen = new Seen(answer)
  for await (const chunk of live) {
    // A client adds whatever comes to the message it has: another one's must not.
    if (chunk.type === 'start')
      seen.isElsewhere = answer.messageId !== undefined && chunk.messageId !== answer.messageId
    if (seen.isElsewhere) continue
    seen.note(chunk)
    if (chunk.type !== 'finish') yield chunk
    else if (isEnd(chunk)) {
      yield chunk
      return
    }
  }
  yield* fromRecord(context, answer, seen)
  yield { type: 'finish' }
}

/** Our own runs say why they rest. A replay does not, and `other` is also said by whoever lost the run to another. */
function isEnd(chunk: RunChunk & { type: 'finish' }): boolean {
  return chunk.finishReason !== undefined && chunk.finishReason !== 'other'
}

/** How far a client has come in the answer. */
class Seen {
  steps: number
  /** A step was begun that has not ended. */
  isOpen = false
  messageId: string | undefined
  isBegun = false
  /** The stream is at another message just now. */
  isElsewhere = false
  /** Calls that the client has without an outcome. */
  readonly openCalls: Set<string>

  constructor({ shown, messageId }: AnswerOf) {
    this.steps = shown?.steps ?? 0
    this.openCalls = new Set(shown?.openCalls)
    this.messageId = messageId
  }

  note(chunk: RunChunk): void {
    if (chunk.type === 'start') {
      this.isBegun = true
      this.messageId = chunk.messageId ?? this.messageId
    }
    if (chunk.type === 'start-step') {
      this.steps += 1
      this.isOpen = true
    }
    if (chunk.type === 'finish-step') this.isOpen = false
    if (chunk.type === 'tool-input-available') this.openCalls.add(chunk.toolCallId)
    if (chunk.type === 'tool-output-available' || chunk.type === 'tool-output-denied') {
      this.openCalls.delete(chunk.toolCallId)
    }
  }
}

async function* fromRecord(
  { engine, closing }: Pick<ServerContext, 'engine' | 'closing'>,
  answer: AnswerOf,
  seen: Seen,
): AsyncGenerator<RunChunk> {
  const until = performance.now() + longestMs
  while (!closing.aborted) {
    const view = await engine.thread(answer)
    if (view === undefined) return
    const { message, isOver } = find(view, answer, seen.messageId)
    if (message) yield* rest(message, seen, isOver)
    if (isOver || performance.now() > until) return
    await setTimeout(lookEveryMs, undefined, { signal: closing }).catch(() => {})
  }
}

/** The answer as it stands on record, and whether anything will still be added to it. */
function find(
  { messages, liveRun }: ThreadView,
  { userMessageId }: AnswerOf,
  messageId: string | undefined,
): { message: RunMessage | undefined; isOver: boolean } {
  const asked = messages.findIndex(({ id }) => id === userMessageId)
  const at = messageId
    ? messages.findIndex(({ id }) => id === messageId)
    : messages.findIndex(({ role }, index) => role === 'assistant' && index > asked && asked >= 0)
  // What waits behind a live run is delivered yet.
  const isQueued = userMessageId !== undefined && asked < 0 && messageId === undefined
  const isPassed = at >= 0 && messages.slice(at + 1).some(({ role }) => role === 'user')
  const isAtWork = liveRun?.status === 'running' || (isQueued && liveRun !== undefined)
  return { message: messages[at], isOver: isPassed || !isAtWork }
}

/** What a client lacks of a message. Its last step may still grow while the run is at work. */
function* rest(message: RunMessage, seen: Seen, isOver: boolean): Generator<RunChunk> {
  const steps = stepsOf(message)
  const complete = isOver ? steps.length : steps.length - 1
  if (!seen.isBegun) {
    seen.isBegun = true
    seen.messageId = message.id
    yield { type: 'start', messageId: message.id }
  }
  const half = seen.isOpen ? steps[seen.steps - 1] : undefined
  if (half && seen.steps <= complete) {
    // It was begun by a process that is gone: the whole takes its place.
    seen.isOpen = false
    yield { type: 'reset-step' }
    for (const chunk of chunksOfStep(half, `${message.id}-${seen.steps - 1}`)) yield noted(seen, chunk)
  }
  for (const step of steps.slice(0, Math.min(seen.steps, complete))) {
    for (const chunk of outcomesOf(step, seen.openCalls)) yield noted(seen, chunk)
  }
  for (; seen.steps < complete; seen.steps++) {
    yield { type: 'start-step' }
    for (const chunk of chunksOfStep(steps[seen.steps] ?? [], `${message.id}-${seen.steps}`)) yield noted(seen, chunk)
    yield { type: 'finish-step' }
  }
}

function noted(seen: Seen, chunk: RunChunk): RunChunk {
  seen.note(chunk)
  return chunk
}
