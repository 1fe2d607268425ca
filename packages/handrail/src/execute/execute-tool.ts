import type { ExecuteContext, Tool } from '../tool/tool.ts'
import { recordServiceCalls, type ServiceCall } from './record-service-calls.ts'
import { type Deadlined, withDeadline } from './with-deadline.ts'

export interface Execution extends Omit<ExecuteContext, 'signal'> {
  readonly tool: Tool
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/** How the tool ended, and which service function it called. */
export interface Executed {
  ending: Deadlined<unknown>
  serviceCall(): ServiceCall | undefined
}

/**
 * The only place where a tool's `execute` is called. Answers at the deadline whatever the tool does; errors are values.
 */
export async function executeTool({ tool, timeoutMs, signal: outer, ...context }: Execution): Promise<Executed> {
  const recording = recordServiceCalls(context.services)
  const ending = await withDeadline(
    (signal) => tool.execute({ ...context, services: recording.services, signal } as ExecuteContext<never, never>), // the gate parsed the input with this tool's own schema
    timeoutMs,
    outer,
  )
  return { ending, serviceCall: recording.first }
}
