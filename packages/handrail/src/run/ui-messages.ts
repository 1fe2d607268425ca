import type { UIMessage } from 'ai'
import { toRecord } from '../gate/to-record.ts'
import type { Sentences } from '../language/sentences.ts'
import type { StoredCall } from '../ledger/call-record.ts'
import type { Run, RunStep } from '../store/run-store.ts'
import { approvalData } from './approval-data.ts'
import type { RunData } from './run-channel.ts'
import { itemsOf, type ThreadRecord } from './thread-view.ts'

export type RunMessage = UIMessage<unknown, RunData>
type Part = RunMessage['parts'][number]

/** The id of the assistant message that a run writes after the n-th message it was given. */
export function assistantMessageId(runId: string, delivered: number): string {
  return `${runId}-${delivered}`
}

/** The thread as people see it, made from the rows: the same parts that the stream would have given. */
export function uiMessages(record: ThreadRecord, say: Sentences): RunMessage[] {
  const messages: RunMessage[] = []
  const delivered = new Map<string, number>()
  const lastStepOf = new Map(record.steps.map((step) => [step.runId, step]))
  const runs = new Map(record.runs.map((run) => [run.runId, run]))
  const answered = new Set<string>()
  for (const item of itemsOf(record)) {
    if ('message' in item) {
      const { message } = item
      if (message.role === 'user' && message.runId)
        delivered.set(message.runId, (delivered.get(message.runId) ?? 0) + 1)
      messages.push({ id: message.messageId, role: message.role, parts: message.parts as Part[] }) // written by us, or checked at the door
      const run = message.runId ? runs.get(message.runId) : undefined
      if (run && !lastStepOf.has(run.runId))
        messages.push(...closingMessage(run, delivered.get(run.runId) ?? 0, record, say, answered))
      continue
    }
    const { step } = item
    const id = assistantMessageId(step.runId, delivered.get(step.runId) ?? 0)
    let message = messages.at(-1)
    if (message?.id !== id) {
      message = { id, role: 'assistant', parts: [] }
      messages.push(message)
    }
    message.parts.push(...partsOfStep(step, record))
    const run = runs.get(step.runId)
    if (run && lastStepOf.get(step.runId) === step) message.parts.push(...closingParts(run, record, say))
  }
  return messages
}

/** For a run that ended before its first step: it failed or was stopped, and says so. */
function closingMessage(
  run: Run,
  delivered: number,
  record: ThreadRecord,
  say: Sentences,
  answered: Set<string>,
): RunMessage[] {
  const parts = closingParts(run, record, say)
  if (parts.length === 0 || answered.has(run.runId)) return []
  answered.add(run.runId)
  return [{ id: assistantMessageId(run.runId, delivered), role: 'assistant', parts }]
}

function partsOfStep(step: RunStep, { calls, approvals }: Pick<ThreadRecord, 'calls' | 'approvals'>): Part[] {
  const parts: Part[] = [{ type: 'step-start' }]
  for (const message of step.messages) {
    if (message.role !== 'assistant') continue
    const content =
      typeof message.content === 'string' ? [{ type: 'text' as const, text: message.content }] : message.content
    for (const part of content) {
      if ((part.type === 'text' || part.type === 'reasoning') && part.text !== '')
        parts.push({ type: part.type, text: part.text, state: 'done' })
    }
  }
  for (const { callId, toolName, input } of step.calls) {
    const call = calls.get(callId)
    parts.push(toolPart(callId, toolName, input, call))
    if (call) parts.push({ type: 'data-call', id: callId, data: toRecord(call) })
    const approval = approvals.get(call?.approvalId ?? '')
    if (approval) parts.push({ type: 'data-approval', id: approval.approvalId, data: approvalData(approval) })
  }
  return parts
}

function toolPart(toolCallId: string, toolName: string, input: unknown, call: StoredCall | undefined): Part {
  const type = `tool-${toolName}` as const
  const { approvalId } = call ?? {}
  if (call === undefined || call.status === 'running') return { type, toolCallId, state: 'input-available', input }
  if (call.status === 'awaiting_approval' && approvalId)
    return { type, toolCallId, state: 'approval-requested', input, approval: { id: approvalId } }
  const given = call.payload?.input ?? input
  if (call.status === 'declined' && approvalId)
    return { type, toolCallId, state: 'output-denied', input: given, approval: { id: approvalId, approved: false } }
  const output = call.payload?.result ?? null
  return approvalId
    ? {
        type,
        toolCallId,
        state: 'output-available',
        input: given,
        output,
        approval: { id: approvalId, approved: true },
      }
    : { type, toolCallId, state: 'output-available', input: given, output }
}

/** What stands under a run's answer: why it stopped short, and what it changed. */
export function closingParts(run: Run, record: Pick<ThreadRecord, 'calls'>, say: Sentences): Part[] {
  const texts = closingTexts(
    run,
    [...record.calls.values()].filter((call) => call.runId === run.runId),
    say,
  )
  return texts.map((text) => ({ type: 'text', text, state: 'done' }))
}

/** The sentences of `closingParts`. */
export function closingTexts(
  run: Pick<Run, 'status' | 'finishReason'>,
  calls: readonly StoredCall[],
  say: Sentences,
): string[] {
  const texts: string[] = []
  if (run.status === 'cancelled') texts.push(say.runCancelled())
  if (run.status === 'failed')
    texts.push(run.finishReason === 'model-unreachable' ? say.modelUnreachable() : say.runFailed())
  const isOver = run.status === 'done' || run.status === 'cancelled' || run.status === 'failed'
  const reported = isOver ? calls.filter(isReported) : []
  if (reported.length > 0)
    texts.push([say.reportHeading(), ...reported.map(({ description }) => say.reportLine({ description }))].join('\n'))
  return texts
}

/** Medium-risk changes are told to the person from the record, whatever the model says of them. */
function isReported(call: StoredCall): boolean {
  return call.kind !== 'read' && call.risk === 'medium' && (call.status === 'done' || call.status === 'unknown')
}
