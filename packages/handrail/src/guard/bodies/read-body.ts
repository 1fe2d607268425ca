import { parseJson } from '../json/parse-json.ts'
import type { ReadingContext } from '../text-format.ts'
import { argumentPairs } from './argument-pairs.ts'
import type { CallDraft } from './call-draft.ts'
import { gemmaCalls } from './gemma-calls.ts'
import { jsonCalls } from './json-calls.ts'
import { pythonicCalls } from './pythonic-calls.ts'
import { taggedCalls } from './tagged-parameters.ts'

/**
 * The calls in the body of a mark such as `<tool_call>…</tool_call>`. Templates mix marks and bodies freely, so every
 * body is tried for every mark, by how it begins.
 */
export function readBody(body: string, context: ReadingContext): CallDraft[] | undefined {
  const text = withoutFence(body)
  const begin = /^[\s,;]*/.exec(text)?.[0].length ?? 0
  switch (text[begin]) {
    case '{':
    case '/':
      return jsonSequence(text.slice(begin), context)
    case '[':
      return /^\[\s*[A-Za-z_][\w.-]*\s*\(/.test(text.slice(begin, begin + 200))
        ? pythonicCalls(text)
        : jsonSequence(text.slice(begin), context)
    case '<':
      return taggedCalls(text, context.repairs)
    case undefined:
      return undefined
    default:
      if (/^\s*,?\s*call:[\w.:/-]+\s*\{/.test(text)) return gemmaCalls(text)
      if (/^\s*[A-Za-z_][\w.-]*\s*\(/.test(text)) return pythonicCalls(text)
      return namedCall(text, context) ?? argumentPairs(text)
  }
}

function withoutFence(body: string): string {
  const text = body.trim()
  if (!text.startsWith('```') || !text.endsWith('```') || text.length < 6) return body
  const line = text.indexOf('\n')
  return line === -1 ? text.slice(3, -3) : text.slice(line + 1, -3)
}

/** `get_page\n{"id": "7"}`, the object in a fence or not. */
function namedCall(text: string, context: ReadingContext): CallDraft[] | undefined {
  const brace = text.indexOf('{')
  if (brace === -1 || brace > 300) return undefined
  const name = /^\s*(?:function\s+)?([A-Za-z_][\w.:/-]*)\s*(?:```(?:json)?\s*)?$/.exec(text.slice(0, brace))?.[1]
  if (name === undefined || context.tools.find(name) === undefined) return undefined
  const json = text.slice(brace).trimEnd()
  const parsed = parseJson(json.endsWith('```') ? json.slice(0, -3) : json, context.repairs)
  if (parsed === undefined) return undefined
  return [{ name, arguments: { kind: 'values', value: parsed.value }, certainty: parsed.certainty }]
}

/** One value, or several with commas, semicolons or blanks between them. */
function jsonSequence(text: string, context: ReadingContext): CallDraft[] | undefined {
  const whole = parseJson(text, context.repairs)
  if (whole !== undefined) return jsonCalls(whole.value, whole.certainty, context.tools, true)
  const pieces = splitValues(text)
  if (pieces === undefined || pieces.length < 2) return undefined
  const drafts: CallDraft[] = []
  for (const piece of pieces) {
    const parsed = parseJson(piece, context.repairs)
    const calls = parsed === undefined ? undefined : jsonCalls(parsed.value, parsed.certainty, context.tools, true)
    if (calls === undefined) return undefined
    drafts.push(...calls)
  }
  return drafts
}

function splitValues(text: string): string[] | undefined {
  const pieces: string[] = []
  let depth = 0
  let from = -1
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (inString) {
      if (letter === '\\') at++
      else if (letter === '"') inString = false
    } else if (letter === '"') inString = true
    else if (letter === '{' || letter === '[') {
      if (depth++ === 0) from = at
    } else if (letter === '}' || letter === ']') {
      if (--depth === 0) pieces.push(text.slice(from, at + 1))
      if (depth < 0) return undefined
    } else if (depth === 0 && letter !== undefined && !/[\s,;]/.test(letter)) return undefined
  }
  return depth === 0 ? pieces : undefined
}
