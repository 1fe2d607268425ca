import { z } from 'zod'
import type { Sentences } from '../language/sentences.ts'
import type { Tool } from '../tool/tool.ts'
import { inspectInput } from './inspect-input.ts'
import { isStopped, type Stopped, stop } from './stopped.ts'

const defaultInputBytes = 64_000
const strictSchemas = new WeakMap<Tool, z.ZodType>()

/**
 * Checks size, depth and keys, then the tool's own schema, strictly: unknown keys are refused and nothing is coerced.
 * Arguments that a model gave as JSON text are read first.
 */
export function parse(tool: Tool, raw: unknown, say: Sentences): { input: unknown } | Stopped {
  const limit = tool.limits.inputBytes ?? defaultInputBytes
  const value = typeof raw === 'string' ? readJson(tool, raw, limit, say) : { value: raw ?? {} }
  if (isStopped(value)) return value
  const problem = inspectInput(value.value, limit)
  if (problem)
    return stop('failed', 'VALIDATION', say.unfitInput(problem), { next: say.validationNext({ tool: tool.name }) })
  const parsed = strictSchema(tool).safeParse(value.value)
  if (parsed.success) return { input: parsed.data }
  const issues = parsed.error.issues
    .slice(0, 20)
    .map((issue) => ({ path: z.core.toDotPath(issue.path), message: issue.message }))
  return stop('failed', 'VALIDATION', say.invalidInput({ tool: tool.name, issues }), {
    next: say.validationNext({ tool: tool.name }),
    details: { issues },
  })
}

function readJson(tool: Tool, text: string, limit: number, say: Sentences): { value: unknown } | Stopped {
  if (text.length > limit) {
    const next = say.validationNext({ tool: tool.name })
    return stop('failed', 'VALIDATION', say.unfitInput({ kind: 'too-large', limit }), { next })
  }
  if (text.trim() === '') return { value: {} }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return stop('failed', 'VALIDATION', say.inputNotJson(), { next: say.inputNotJsonNext() })
  }
}

/** An object schema that says nothing of unknown keys would drop them in silence; here it refuses them. */
function strictSchema(tool: Tool): z.ZodType {
  let schema = strictSchemas.get(tool)
  if (schema === undefined) {
    const own = tool.inputSchema
    schema = own instanceof z.ZodObject && own.def.catchall === undefined ? own.strict() : own
    strictSchemas.set(tool, schema)
  }
  return schema
}
