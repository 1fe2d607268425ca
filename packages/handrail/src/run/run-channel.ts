import type { UIMessageChunk } from 'ai'

/** Parts of our own beside the AI SDK's: what a run, a call or an approval is now, and what changed. Names are pinned. */
export type RunData = {
  run: { runId: string; status: string; step: number; mode: string; finishReason?: string }
  call: unknown
  approval: {
    approvalId: string
    callId: string
    reason: string
    description: string
    preview?: unknown
    decideBy: string
    status: string
  }
  log: { callId: string; level: string; message: string; details?: unknown; progress?: unknown }
  changed: { callId: string; pack: string; toolName: string; kind: string; entities: unknown[] }
}

export type RunChunk = UIMessageChunk<unknown, RunData>

interface Follower {
  controller: ReadableStreamDefaultController<RunChunk>
  /** Skips until a message other than this one starts. */
  after: string | undefined
}

/**
 * What a thread's run says, to any number of readers in this process. Keeps the message under construction, so that a
 * reader who comes later gets it as it now stands.
 */
export class RunChannel {
  readonly #followers = new Set<Follower>()
  #message: RunChunk[] = []
  #messageId: string | undefined
  #isOpen = false
  #endedAt = 0

  /** The message under construction, while a run is at work on it. */
  get openMessageId(): string | undefined {
    return this.#isOpen ? this.#messageId : undefined
  }

  /** The message it last was about, also when it is over. */
  get messageId(): string | undefined {
    return this.#messageId
  }

  get idleSince(): number | undefined {
    return this.#isOpen || this.#followers.size > 0 ? undefined : this.#endedAt
  }

  /** Begins, or goes on with, an assistant message. */
  open(messageId: string): void {
    if (this.#isOpen && this.#messageId === messageId) return
    if (this.#isOpen) this.close()
    if (this.#messageId !== messageId) this.#message = []
    this.#messageId = messageId
    this.#isOpen = true
    const start: RunChunk = { type: 'start', messageId }
    if (this.#message.length === 0) this.#message.push(start)
    for (const follower of this.#followers) {
      if (follower.after === messageId) continue
      follower.after = undefined
      follower.controller.enqueue(start)
    }
  }

  publish(chunk: RunChunk): void {
    this.#remember(chunk)
    for (const follower of this.#followers) if (follower.after === undefined) follower.controller.enqueue(chunk)
  }

  /** Ends this stretch of work: the message is complete, or waits. Its readers are done. */
  close(finishReason?: 'stop' | 'tool-calls' | 'error' | 'other'): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#endedAt = Date.now()
    const finish: RunChunk = finishReason ? { type: 'finish', finishReason } : { type: 'finish' }
    for (const follower of [...this.#followers]) {
      if (follower.after !== undefined) continue
      follower.controller.enqueue(finish)
      this.#end(follower)
    }
  }

  /**
   * Follows what comes from now on.
   *
   * @param after skips what still belongs to this message
   * @param until ends the reader when this has settled and nothing is under way: then nothing will come
   */
  follow(after?: string, until?: Promise<unknown>): ReadableStream<RunChunk> {
    return this.#stream([], after, until)
  }

  /** The message as it now stands, then what comes; undefined when there is none. */
  replay(): ReadableStream<RunChunk> | undefined {
    if (this.#message.length === 0) return undefined
    if (this.#isOpen) return this.#stream(this.#message, undefined)
    const chunks: RunChunk[] = [...this.#message, { type: 'finish' }]
    return new ReadableStream<RunChunk>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    })
  }

  /** Ends every reader, when nothing will come any more. */
  dismiss(): void {
    for (const follower of [...this.#followers]) this.#end(follower)
  }

  #stream(first: readonly RunChunk[], after: string | undefined, until?: Promise<unknown>): ReadableStream<RunChunk> {
    let follower: Follower
    const endIfIdle = (): void => {
      if (!this.#isOpen && this.#followers.has(follower)) this.#end(follower)
    }
    return new ReadableStream<RunChunk>({
      start: (controller) => {
        for (const chunk of first) controller.enqueue(chunk)
        follower = { controller, after }
        this.#followers.add(follower)
        void until?.then(endIfIdle, endIfIdle)
      },
      cancel: () => {
        this.#followers.delete(follower)
      },
    })
  }

  #end(follower: Follower): void {
    this.#followers.delete(follower)
    follower.controller.close()
  }

  /** Pieces of one text are kept as one; what passes by (logs, notices of change) is not kept. */
  #remember(chunk: RunChunk): void {
    if (chunk.type === 'data-log' || chunk.type === 'data-changed') return
    const last = this.#message.at(-1)
    if (chunk.type === 'text-delta' && last?.type === 'text-delta' && last.id === chunk.id) {
      this.#message[this.#message.length - 1] = { ...last, delta: last.delta + chunk.delta }
    } else if (chunk.type === 'reasoning-delta' && last?.type === 'reasoning-delta' && last.id === chunk.id) {
      this.#message[this.#message.length - 1] = { ...last, delta: last.delta + chunk.delta }
    } else if (chunk.type === 'reset-step') {
      this.#takeBackStep()
    } else this.#message.push(chunk)
  }

  #takeBackStep(): void {
    const start = this.#message.findLastIndex((chunk) => chunk.type === 'start-step')
    if (start >= 0) this.#message.length = start + 1
  }
}
