import type { ModelMessage } from 'ai'
import type { Approval } from '../approval/approval.ts'
import type { Sentences } from '../language/sentences.ts'
import type { StoredCall } from '../ledger/call-record.ts'
import type { Run, RunStep, StepCall, ThreadMessage } from '../store/run-store.ts'

/** Everything a thread holds, as the rows have it: what people see and what the model reads are both made from it. */
export interface ThreadRecord {
  messages: readonly ThreadMessage[]
  steps: readonly RunStep[]
  calls: ReadonlyMap<string, StoredCall>
  approvals: ReadonlyMap<string, Approval>
  runs: readonly Run[]
}

type Item = { position: number; message: ThreadMessage } | { position: number; step: RunStep }

/** Messages and steps in the order in which they happened. */
export function itemsOf({ messages, steps }: Pick<ThreadRecord, 'messages' | 'steps'>): Item[] {
  return [
    ...messages.map((message) => ({ position: message.position, message })),
    ...steps.map((step) => ({ position: step.position, step })),
  ].sort((a, b) => a.position - b.position)
}

/** The words in a message's parts. */
export function textOf(parts: readonly unknown[]): string {
  return parts.flatMap((part) => (isTextPart(part) ? [part.text] : [])).join('\n')
}

function isTextPart(part: unknown): part is { type: 'text'; text: string } {
  return (
    typeof part === 'object' &&
    part !== null &&
    'type' in part &&
    part.type === 'text' &&
    'text' in part &&
    typeof part.text === 'string'
  )
}

/** One message of the thread, as the model reads it; one without words is not sent. */
export function modelMessageOf(message: ThreadMessage): ModelMessage[] {
  const text = textOf(message.parts)
  return text === '' ? [] : [{ role: message.role, content: text }]
}

/**
 * One step as the model reads it: what it said and asked for, then what came of each call as the record has it now.
 * No call is ever without a result.
 *
 * @param outcomeFor what the model reads of a call, undefined while there is none
 */
export function modelMessagesOfStep(
  step: RunStep,
  outcomeFor: (call: StepCall) => unknown,
  say: Sentences,
): ModelMessage[] {
  if (step.calls.length === 0) return step.messages
  const cancelled = (tool: string) => ({ success: false, code: 'CANCELLED', error: say.cancelled({ tool }) })
  const content = step.calls.map((call) => {
    const value = (outcomeFor(call) ?? cancelled(call.toolName)) as never // JSON made by `forModel`
    const { toolCallId, toolName } = call
    return { type: 'tool-result' as const, toolCallId, toolName, output: { type: 'json' as const, value } }
  })
  return [...step.messages, { role: 'tool', content }]
}
