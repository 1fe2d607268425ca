import type { CallEvent, CallOutcome } from '../gate/call-request.ts'
import type { StepCall } from '../store/run-store.ts'
import type { Entity, Tool } from '../tool/tool.ts'
import { isAsking } from '../tool/tool-result.ts'
import { approvalData } from './approval-data.ts'
import type { RunSession, RunTools } from './run-session.ts'

const lookEveryMs = 200
/** Beyond an attempt's time: what nobody has settled by then, nobody who knows the tool is there to settle. */
const longestMs = 30_000

/**
 * Takes the open calls of a step through the gate: reads together, then writes one by one in the model's order; a write
 * that says `parallel` goes with the reads. Each outcome is shown as soon as it is there.
 */
export async function passCalls(session: RunSession, tools: RunTools, calls: readonly StepCall[]): Promise<void> {
  const alongside = calls.filter(({ toolName }) => mayGoAlongside(session, toolName))
  const oneByOne = calls.filter((call) => !alongside.includes(call))
  await Promise.all(alongside.map((call) => passCall(session, tools, call)))
  for (const call of oneByOne) {
    if (session.abort.signal.aborted) return
    await passCall(session, tools, call)
  }
}

function mayGoAlongside({ governed }: RunSession, toolName: string): boolean {
  const tool = governed.tools.get(toolName)
  return tool === undefined || tool.kind === 'read' || tool.parallel
}

async function passCall(session: RunSession, { gate }: RunTools, { callId, toolName, input }: StepCall): Promise<void> {
  const { run, lease, channel } = session
  const pass = () =>
    gate.call({
      name: toolName,
      pack: run.pack,
      input,
      callId,
      principal: session.principal,
      scope: run.scope,
      thread: { threadId: run.threadId, untrusted: session.untrusted, userText: session.userText },
      run: { runId: lease.runId, token: lease.token, step: session.lastStep?.step ?? 0 },
      readCache: session.readCache,
      signal: session.abort.signal,
      onEvent: (event) => channel.publish(logChunk(event)),
    })
  let outcome = await pass()
  // An earlier holder of this run may still be at it: nothing follows before it has an outcome.
  while (outcome.record.status === 'running' && (await attemptEnds(session, gate, callId))) outcome = await pass()
  const stored = await gate.store.calls.get(run.tenantId, callId)
  if (stored) session.calls.set(callId, stored)
  if (stored?.approvalId !== undefined) {
    const approval = await gate.store.approvals.get(run.tenantId, stored.approvalId)
    if (approval) session.approvals.set(approval.approvalId, approval)
  }
  if (outcome.result.success && session.governed.tools.get(toolName)?.untrusted && !session.untrusted) {
    session.untrusted = true
    await gate.store.runs.markUntrusted(run.tenantId, run.threadId)
  }
  showOutcome(session, outcome)
}

/**
 * Waits until the call has an outcome, or its holder's time is over and the next pass through the gate settles it.
 *
 * @returns false when there is nothing to wait for any more: the run was stopped, or nobody settles the call
 */
async function attemptEnds({ run, abort }: RunSession, { store }: RunTools['gate'], callId: string): Promise<boolean> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    if (abort.signal.aborted) return false
    const call = await store.calls.get(run.tenantId, callId)
    if (call?.status !== 'running') return true
    const overMs = Date.now() - (call.attemptUntil?.getTime() ?? 0)
    if (overMs > 0) return overMs < longestMs
  }
}

/** What a reader of the stream sees of a call: its card, and the part that an AI SDK client knows. */
export function showOutcome(
  { channel, governed, calls, approvals }: RunSession,
  { record, result }: Pick<CallOutcome, 'record' | 'result'>,
): void {
  const { callId } = record
  channel.publish({ type: 'data-call', id: callId, data: record })
  const approval = approvals.get(record.approval?.approvalId ?? '')
  if (approval) channel.publish({ type: 'data-approval', id: approval.approvalId, data: approvalData(approval) })
  if (isAsking(result)) {
    channel.publish({ type: 'tool-approval-request', approvalId: result.approvalId, toolCallId: callId })
    return
  }
  if (record.approval) {
    channel.publish({
      type: 'tool-approval-response',
      approvalId: record.approval.approvalId,
      approved: record.status !== 'declined',
    })
  }
  if (record.status === 'declined') channel.publish({ type: 'tool-output-denied', toolCallId: callId })
  else channel.publish({ type: 'tool-output-available', toolCallId: callId, output: result })
  if (record.kind !== 'read' && (record.status === 'done' || record.status === 'unknown')) {
    const tool = governed.tools.get(record.toolName)
    const entities = result.success ? entitiesOf(tool, calls.get(callId)?.payload?.input, result.data) : []
    channel.publish({
      type: 'data-changed',
      transient: true,
      data: { callId, pack: record.pack, toolName: record.toolName, kind: record.kind, entities },
    })
  }
}

/** What a result is about. The data was shortened and masked since the tool made it, so that this may break. */
function entitiesOf(tool: Tool | undefined, input: unknown, data: unknown): Entity[] {
  const made = { input, data }
  try {
    return tool?.entities?.(made as Record<keyof typeof made, never>) ?? [] // erased types: this tool's own schema and execution made both
  } catch {
    return []
  }
}

function logChunk(event: CallEvent) {
  const { callId } = event
  switch (event.type) {
    case 'call-start':
      return { type: 'data-log' as const, transient: true, data: { callId, level: 'info', message: event.description } }
    case 'call-progress':
      return {
        type: 'data-log' as const,
        transient: true,
        data: { callId, level: 'info', message: event.progress.message, progress: event.progress },
      }
    case 'call-log':
      return {
        type: 'data-log' as const,
        transient: true,
        data: { callId, level: event.level, message: event.message, details: event.details },
      }
  }
}
