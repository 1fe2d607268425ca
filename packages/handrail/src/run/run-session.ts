import type { LanguageModel, ModelMessage, ToolSet } from 'ai'
import type { Approval } from '../approval/approval.ts'
import { modelTools } from '../formats/ai-sdk-schemas.ts'
import type { Gate } from '../gate/gate.ts'
import type { GovernedPack } from '../gate/gate-context.ts'
import { outcomeOf } from '../gate/outcome.ts'
import { ReadCache } from '../gate/read-cache.ts'
import type { StoredCall } from '../ledger/call-record.ts'
import { asAgent, type Principal } from '../principal/principal.ts'
import type { Lease, Run, RunStep, StepCall, Thread, ThreadMessage } from '../store/run-store.ts'
import { instructionsOf } from './instructions.ts'
import type { RunChannel } from './run-channel.ts'
import type { RunLimits } from './run-limits.ts'
import { itemsOf, modelMessageOf, modelMessagesOfStep, textOf } from './thread-view.ts'
import { assistantMessageId } from './ui-messages.ts'

/** What a step needs of the world. */
export interface RunTools {
  gate: Gate<never>
  model: LanguageModel
  limits: RunLimits
  /** Streams the model's words to the channel; without it the model is asked for whole answers. */
  streams: boolean
}

/**
 * A run in the hands of one lease holder: the rows it was loaded from, and what grew since. Nothing in it is truth; it
 * can be thrown away and loaded again at any step.
 */
export class RunSession {
  readonly readCache = new ReadCache()
  readonly abort = new AbortController()
  readonly instructions: string
  readonly toolSet: ToolSet
  readonly principal: Principal
  readonly #history: ModelMessage[] = []
  userText = ''
  untrusted: boolean
  delivered = 0
  lastStep: RunStep | undefined
  activeMs: number
  lost = false

  readonly run: Run
  readonly lease: Lease
  readonly governed: GovernedPack
  readonly channel: RunChannel
  /** Outcomes of this run's calls, and of earlier ones in the thread. */
  readonly calls: Map<string, StoredCall>
  /** What was asked about those calls. */
  readonly approvals: Map<string, Approval>

  constructor(parts: {
    run: Run
    thread: Thread
    lease: Lease
    governed: GovernedPack
    channel: RunChannel
    packSection: string
    tools: Parameters<typeof modelTools>[0]
    calls: Map<string, StoredCall>
    approvals: Map<string, Approval>
    messages: readonly ThreadMessage[]
    steps: readonly RunStep[]
  }) {
    const { run, governed } = parts
    this.run = run
    this.lease = parts.lease
    this.governed = governed
    this.channel = parts.channel
    this.calls = parts.calls
    this.approvals = parts.approvals
    this.activeMs = run.activeMs
    this.untrusted = parts.thread.untrusted
    this.principal = asAgent(run.principal, run.principal.via.door)
    this.toolSet = modelTools(parts.tools)
    this.instructions = instructionsOf(governed, parts.packSection, parts.tools, this.principal, run.scope)
    for (const item of itemsOf(parts)) {
      if ('message' in item) this.addMessage(item.message)
      else this.addStep(item.step)
    }
  }

  get messageId(): string {
    return assistantMessageId(this.run.runId, this.delivered)
  }

  /** Calls of the last step that have no outcome yet. */
  get openCalls(): StepCall[] {
    const step = this.lastStep
    if (step === undefined || step.runId !== this.run.runId) return []
    return step.calls.filter((call) => {
      const status = this.calls.get(call.callId)?.status
      return status === undefined || status === 'running' || status === 'awaiting_approval'
    })
  }

  addMessage(message: ThreadMessage): void {
    this.#settleLastStep()
    this.#history.push(...modelMessageOf(message))
    if (message.role !== 'user') return
    this.userText += `${textOf(message.parts)}\n`
    if (message.runId === this.run.runId) this.delivered += 1
  }

  addStep(step: RunStep): void {
    this.#settleLastStep()
    this.lastStep = step
    this.#unsettled = true
  }

  /** The conversation as the model reads it now. */
  history(): ModelMessage[] {
    this.#settleLastStep()
    return this.#history
  }

  #unsettled = false

  /** Results are added when the next thing is, so that each is read once, as it stands then. */
  #settleLastStep(): void {
    if (!this.#unsettled || this.lastStep === undefined) return
    this.#unsettled = false
    this.#history.push(...modelMessagesOfStep(this.lastStep, (call) => this.#outcomeFor(call), this.governed.say))
  }

  #outcomeFor({ callId, toolName }: StepCall): unknown {
    const call = this.calls.get(callId)
    if (call === undefined) return undefined
    return outcomeOf(this.governed, this.governed.tools.get(toolName), call).forModel
  }
}
