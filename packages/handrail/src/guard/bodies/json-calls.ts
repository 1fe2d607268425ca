import type { ToolIndex } from '../tool-index.ts'
import type { CallDraft, Certainty } from './call-draft.ts'

/** Under which key models write the name of the tool. */
export const nameKeys = ['name', 'tool_name', 'tool', 'function', 'function_name', 'action', 'recipient_name'] as const
/** Under which key they write its arguments. */
export const argumentKeys = [
  'arguments',
  'parameters',
  'args',
  'input',
  'action_input',
  'tool_input',
  'kwargs',
] as const
/** What may stand beside these in a call. */
export const sideKeys = ['id', 'type', 'tool_call_id', 'call_id', 'index'] as const

/**
 * The calls that a JSON value stands for: an object with name and arguments, a list of them, `{"tool_calls": […]}`, or
 * OpenAI's `{"type": "function", "function": {…}}`.
 *
 * @param keyed also `{"get_page": {"id": 1}}`, for formats that write calls so.
 * @returns nothing if any part of it is no call.
 */
export function jsonCalls(
  value: unknown,
  certainty: Certainty,
  tools: ToolIndex,
  keyed = false,
): CallDraft[] | undefined {
  if (Array.isArray(value)) {
    const drafts: CallDraft[] = []
    for (const item of value) {
      const calls = Array.isArray(item) ? undefined : jsonCalls(item, certainty, tools, keyed)
      if (calls === undefined) return undefined
      drafts.push(...calls)
    }
    return drafts.length === 0 ? undefined : drafts
  }
  if (typeof value !== 'object' || value === null) return undefined
  const entries = Object.entries(value)
  const members = new Map<string, unknown>(entries)
  const listed = members.get('tool_calls')
  if (Array.isArray(listed)) return entries.length === 1 ? jsonCalls(listed, certainty, tools, keyed) : undefined
  const inner = members.get('function')
  if (typeof inner === 'object' && inner !== null) return jsonCalls(inner, certainty, tools, keyed)
  const name = nameKeys.map((key) => members.get(key)).find((candidate) => typeof candidate === 'string')
  if (typeof name === 'string') {
    const key = argumentKeys.find((candidate) => members.has(candidate))
    // After a guess at where a string ends, what follows the arguments may belong to it.
    if (certainty === 'guessed' && entries.at(-1)?.[0] !== key) return undefined
    if (key === undefined) return [{ name, arguments: { kind: 'none' }, certainty }]
    return [{ name, arguments: { kind: 'values', value: members.get(key) }, certainty }]
  }
  const sole = entries.length === 1 ? entries[0] : undefined
  if (!keyed || sole === undefined || tools.find(sole[0]) === undefined) return undefined
  return [{ name: sole[0], arguments: { kind: 'values', value: sole[1] }, certainty }]
}
