import { outcomeOf } from '../gate/outcome.ts'
import type { RunSession } from './run-session.ts'
import { showOutcome } from './step-calls.ts'

/** On taking a run up again: what became of the last step's calls meanwhile, for readers who saw them waiting. */
export function showOpen(session: RunSession): void {
  const { lastStep, governed, calls, run } = session
  if (lastStep === undefined || lastStep.runId !== run.runId) return
  for (const { callId, toolName } of lastStep.calls) {
    const call = calls.get(callId)
    if (call === undefined || call.status === 'running' || call.status === 'awaiting_approval') continue
    showOutcome(session, outcomeOf(governed, governed.tools.get(toolName), call))
  }
}
