import type { Sentences } from '../language/sentences.ts'
import type { Tool } from '../tool/tool.ts'
import type { Source, ToolFailure, ToolResult, ToolSuccess } from '../tool/tool-result.ts'
import type { Redactor } from './redact.ts'
import { shorten } from './shorten.ts'
import { boundSources } from './sources.ts'

export interface Presented {
  result: ToolSuccess
  truncated: boolean
}

/**
 * Makes what leaves the gate from what the tool returned: checked against its output schema, masked, shortened to its
 * budget, with its sources. Masks first and cuts after, so that no cut leaves half a secret.
 *
 * @returns a failure when the data does not fit the tool's own output schema
 */
export function present(
  tool: Tool,
  input: unknown,
  data: unknown,
  budgetTokens: number,
  redact: Redactor,
  say: Sentences,
): Presented | ToolFailure {
  const checked = tool.outputSchema?.safeParse(data)
  if (checked && !checked.success)
    return { success: false, code: 'INTERNAL', error: say.invalidOutput({ tool: tool.title }) }
  const whole = (checked ? checked.data : data) ?? null
  const message = describeCall(tool, input, { success: true, data: whole, message: '' }, redact, say)
  const short = shorten(redact(whole).value, { tokens: budgetTokens })
  const result: ToolSuccess = { success: true, data: short.value, message }
  const sources = sourcesOf(tool, input, whole, redact)
  if (sources.length > 0) result.sources = sources
  return { result, truncated: short.truncated }
}

/** What a call did, in words: the tool's own, or the language's sentence for its ending. */
export function describeCall(tool: Tool, input: unknown, result: ToolResult, redact: Redactor, say: Sentences): string {
  const fallback = result.success ? say.callDone({ tool: tool.title }) : say.callFailed({ tool: tool.title })
  try {
    const described = tool.describe?.({ input, result } as { input: never; result: ToolResult<never> }) ?? fallback // erased types; the gate parsed the input with this tool's schema
    const text = redact(described).value
    return typeof text === 'string' ? text.slice(0, 500).toWellFormed() : fallback
  } catch {
    return fallback
  }
}

/** Masked like the data: a query or an address can hold what the data may not. */
function sourcesOf(tool: Tool, input: unknown, data: unknown, redact: Redactor): Source[] {
  try {
    const sources = boundSources(tool.sources?.({ input, data } as { input: never; data: never }) ?? []) // erased types, as above
    return redact(sources).value as unknown as Source[] // masking keeps the shape: it replaces texts with texts
  } catch {
    return []
  }
}
