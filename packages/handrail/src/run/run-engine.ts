import type { LanguageModel } from 'ai'
import type { DecisionOutcome, DecisionRequest } from '../gate/decide-approval.ts'
import type { Gate } from '../gate/gate.ts'
import type { OperatorReport } from '../gate/gate-context.ts'
import type { StoredCall } from '../ledger/call-record.ts'
import { newId } from '../principal/new-id.ts'
import type { Principal, Scope } from '../principal/principal.ts'
import type { Run, Thread } from '../store/run-store.ts'
import { Channels } from './channels.ts'
import { type Driving, driveRun } from './drive-run.ts'
import { loadThread } from './load-session.ts'
import { memoryDriver } from './memory-driver.ts'
import { noteLaterOutcome } from './note-later-outcome.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { RunChunk } from './run-channel.ts'
import type { RunDriver, RunRef } from './run-driver.ts'
import { defaultRunLimits, type RunLimits } from './run-limits.ts'
import { assistantMessageId, type RunMessage, uiMessages } from './ui-messages.ts'

const reconcileEveryMs = 3_000
const hourMs = 3_600_000
const titleLength = 60

export interface RunEngineOptions {
  gate: Gate<never>
  model: LanguageModel
  /** What wakes runs. Default: this process. */
  driver?: RunDriver
  limits?: Partial<RunLimits>
  /** False asks the model for whole answers. Default: streams. */
  streams?: boolean
  report?: OperatorReport
}

export type SendOutcome =
  /** `answer` follows what the run says from here on. */
  | { kind: 'started' | 'queued'; run: Run; answer: ReadableStream<RunChunk> }
  /** A message of this id was taken before: nothing is started again. `answer` is what was said to it, if it is still known. */
  | { kind: 'repeated'; answer: ReadableStream<RunChunk> | undefined }
  | { kind: 'limited'; retryAt: Date | undefined; message: string }
  | { kind: 'missing'; message: string }

export interface ThreadView {
  thread: Thread
  /** Without the message that is being written just now: `replay` has that. */
  messages: RunMessage[]
  liveRun: Run | undefined
}

/** Runs conversations: stores messages, wakes runs, streams what they say. One engine per process. */
export interface RunEngine {
  createThread(request: {
    principal: Principal
    pack: string
    scope: Scope
    threadId?: string
    title?: string
  }): Promise<Thread>
  /** A person's message. On a live run it is delivered at the next step boundary. */
  send(request: {
    principal: Principal
    threadId: string
    parts: unknown[]
    messageId?: string
    mode?: Run['mode']
  }): Promise<SendOutcome>
  /**
   * A person's decisions on what their thread waits for, carried out one after the other, and then what the run says
   * because of them: `answer` ends when it rests again, and at once where nothing goes on.
   */
  respond(request: {
    principal: Principal
    threadId: string
    responses: readonly Omit<DecisionRequest, 'principal'>[]
  }): Promise<{ outcomes: DecisionOutcome[]; answer: ReadableStream<RunChunk> } | undefined>
  /** What the thread's run says from now on, or, with nothing under way, nothing. */
  follow(request: { principal: Principal; threadId: string }): Promise<ReadableStream<RunChunk> | undefined>
  /** The message under construction as it now stands, and what comes; also for ten minutes after its end. */
  replay(request: { principal: Principal; threadId: string }): Promise<ReadableStream<RunChunk> | undefined>
  thread(request: { principal: Principal; threadId: string }): Promise<ThreadView | undefined>
  /** Stops model and tools. What was done stays done. */
  cancel(request: { principal: Principal; runId: string }): Promise<Run | undefined>
  /** Begins to wake runs, and to bring to an end what dead processes left. */
  start(): Promise<void>
  /** Hands over what it holds and ends. */
  stop(): Promise<void>
}

/** @example const engine = createRunEngine({ gate, model: openai('gpt-5') }); await engine.start() */
export function createRunEngine(options: RunEngineOptions): RunEngine {
  const { gate } = options
  const { runs, approvals, calls } = gate.store
  const limits: RunLimits = { ...defaultRunLimits, ...options.limits }
  const driver = options.driver ?? memoryDriver()
  const report: OperatorReport = options.report ?? (({ code, message }) => console.error(`handrail ${code} ${message}`))
  const channels = new Channels()
  const driving = new Map<string, Driving>()
  /** Threads whose decisions are being taken just now: their run goes on when all of them are. */
  const responding = new Map<string, number>()
  const owner = newId()
  let isStopping = false
  let reconciler: NodeJS.Timeout | undefined
  let unsubscribe: (() => void) | undefined

  const tools = { gate, model: options.model, limits, streams: options.streams ?? true }
  const drive = (ref: RunRef): Promise<void> => {
    if (isStopping) return Promise.resolve()
    return driveRun({ ref, owner, tools, channels, driving, report })
  }

  async function ownThread(principal: Principal, threadId: string): Promise<Thread | undefined> {
    const thread = await runs.getThread(principal.tenantId, threadId)
    return thread?.userId === principal.userId ? thread : undefined
  }

  async function onApproval(tenantId: string, approvalId: string): Promise<void> {
    const approval = await approvals.get(tenantId, approvalId)
    if (approval?.threadId === undefined || approval.status === 'pending') return
    if (responding.has(`${tenantId}\n${approval.threadId}`)) return
    const run = approval.runId ? await runs.get(tenantId, approval.runId) : undefined
    const call = await calls.get(tenantId, approval.callId)
    if (call === undefined || call.status === 'awaiting_approval' || call.status === 'running') return
    const isLive = run?.status === 'running' || run?.status === 'waiting'
    if (run && isLive && run.step - 1 <= (call.step ?? 0)) return drive({ tenantId, runId: run.runId })
    if (run && (await hasRead(run, call))) return
    await noteLaterOutcome(gate, channels, approval, call)
  }

  /** Has the run gone on with this outcome? Then it is no news to its thread, however often the decision is repeated. */
  async function hasRead(run: Run, { step = 0, endedAt }: StoredCall): Promise<boolean> {
    const steps = await runs.steps(run.tenantId, run.threadId)
    const next = steps.find((later) => later.runId === run.runId && later.step > step)
    return (
      next !== undefined && endedAt !== undefined && next.createdAt.getTime() - next.durationMs >= endedAt.getTime()
    )
  }

  /** The assistant message that the thread's run writes at present, or wrote last. */
  async function currentMessageId(tenantId: string, threadId: string): Promise<string | undefined> {
    const { messageId } = channels.of(tenantId, threadId)
    if (messageId !== undefined) return messageId
    const given = (await runs.messages(tenantId, threadId)).filter(({ role, runId }) => role === 'user' && runId)
    const runId = given.at(-1)?.runId
    return runId && assistantMessageId(runId, given.filter((message) => message.runId === runId).length)
  }

  // A call can be held for as long as the process that has it stands still. Rounds that pile up behind it would take all
  // connections, and runs that are due must not wait for it.
  const settleLeft = oneAtATime(() => gate.reconcile())
  const wakeDue = oneAtATime(async () => {
    for (const ref of await runs.due(100)) await driver.wake(ref)
  })

  async function reconcile(): Promise<void> {
    channels.prune()
    try {
      await Promise.all([settleLeft(), wakeDue()])
    } catch (error) {
      report({ code: 'RECONCILE_FAILED', message: 'waiting runs could not be looked up; it is tried again', error })
    }
  }

  return {
    createThread({ principal, pack, scope, threadId, title }) {
      return runs.createThread({
        threadId: threadId ?? newId(),
        tenantId: principal.tenantId,
        userId: principal.userId,
        pack,
        scope,
        title: (title ?? '').slice(0, titleLength),
      })
    },

    async send({ principal, threadId, parts, messageId, mode = 'inline' }) {
      const { tenantId, userId } = principal
      const thread = await ownThread(principal, threadId)
      const say = gate.packs.get(thread?.pack ?? '')?.say
      if (thread === undefined || say === undefined) return { kind: 'missing', message: gate.say.threadNotFound() }
      const text = parts
        .map((part) => (typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : ''))
        .join('\n')
      const channel = channels.of(tenantId, threadId)
      if (
        messageId !== undefined &&
        (await runs.messages(tenantId, threadId)).some((message) => message.messageId === messageId)
      ) {
        return { kind: 'repeated', answer: channel.replay() }
      }
      const reply = await gate.readReply({ threadId, text, principal })
      if (reply.kind !== 'none') await onApproval(tenantId, reply.call.approval?.approvalId ?? '')

      const run = { runId: newId(), tenantId, threadId, principal, pack: thread.pack, scope: thread.scope, mode }
      const quota = { key: `runs:${userId}`, limit: limits.runsPerHour, windowMs: hourMs }
      const current = await currentMessageId(tenantId, threadId)
      const started = await runs.start(run, { messageId: messageId ?? newId(), parts }, [quota])
      if (started.kind === 'limited')
        return {
          kind: 'limited',
          retryAt: started.retryAt,
          message: say.rateLimited({
            tool: thread.title || thread.pack,
            limit: limits.runsPerHour,
            retryAt: started.retryAt,
          }),
        }
      const driven = drive({ tenantId, runId: started.run.runId })
      const answer = channel.follow(started.kind === 'live' ? current : undefined, driven)
      return { kind: started.kind === 'live' ? 'queued' : 'started', run: started.run, answer }
    },

    async respond({ principal, threadId, responses }) {
      if ((await ownThread(principal, threadId)) === undefined) return undefined
      const { tenantId } = principal
      const key = `${tenantId}\n${threadId}`
      const outcomes: DecisionOutcome[] = []
      responding.set(key, (responding.get(key) ?? 0) + 1)
      try {
        for (const response of responses) outcomes.push(await gate.decide({ ...response, principal }))
      } finally {
        const others = (responding.get(key) ?? 1) - 1
        if (others > 0) responding.set(key, others)
        else responding.delete(key)
      }
      const taken = outcomes.flatMap((outcome) => (outcome.kind === 'refused' ? [] : [outcome.approval.approvalId]))
      const driven = Promise.all(taken.map((approvalId) => onApproval(tenantId, approvalId)))
      return { outcomes, answer: channels.of(tenantId, threadId).follow(undefined, driven) }
    },

    async follow({ principal, threadId }) {
      return (await ownThread(principal, threadId)) && channels.of(principal.tenantId, threadId).follow()
    },

    async replay({ principal, threadId }) {
      return (await ownThread(principal, threadId)) && channels.of(principal.tenantId, threadId).replay()
    },

    async thread({ principal, threadId }) {
      const thread = await ownThread(principal, threadId)
      const governed = thread && gate.packs.get(thread.pack)
      if (thread === undefined || governed === undefined) return undefined
      const { tenantId } = principal
      const [record, page] = await Promise.all([
        loadThread(gate, tenantId, threadId),
        runs.list(tenantId, { threadId, limit: 200 }),
      ])
      const open = channels.of(tenantId, threadId).openMessageId
      const messages = uiMessages({ ...record, runs: page.items }, governed.say).filter(({ id }) => id !== open)
      return {
        thread,
        messages,
        liveRun: page.items.find(({ status }) => status === 'running' || status === 'waiting'),
      }
    },

    async cancel({ principal, runId }) {
      const { tenantId } = principal
      const run = await runs.get(tenantId, runId)
      if (run === undefined || run.principal.userId !== principal.userId) return undefined
      const cancelled = await runs.requestCancel(tenantId, runId)
      const held = driving.get(runId)
      if (held) {
        held.cancel()
        await held.ended
      } else if (cancelled?.status === 'running' || cancelled?.status === 'waiting') await drive({ tenantId, runId })
      return runs.get(tenantId, runId)
    },

    async start() {
      await driver.start(drive)
      unsubscribe = gate.store.signals.subscribe(({ topic, tenantId, id }) => {
        if (topic === 'approval')
          onApproval(tenantId, id).catch((error: unknown) =>
            report({
              code: 'DECISION_NOT_FOLLOWED',
              message: 'a decision could not be brought into its thread',
              error,
            }),
          )
      })
      reconciler = setInterval(() => void reconcile(), reconcileEveryMs)
      reconciler.unref()
      await reconcile()
    },

    async stop() {
      isStopping = true
      clearInterval(reconciler)
      unsubscribe?.()
      await driver.stop()
      await Promise.all([...driving.values()].map((held) => held.handOver()))
      channels.dismiss()
    },
  }
}
