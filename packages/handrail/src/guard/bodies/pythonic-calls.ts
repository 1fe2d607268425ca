import { readLiteral } from '../json/read-literal.ts'
import type { CallDraft } from './call-draft.ts'

const callName = /\s*([A-Za-z_][\w.-]*)\s*\(/y
const keyword = /\s*([A-Za-z_]\w*)\s*=(?!=)/y

/** A call and where its closing parenthesis was. */
export interface ReadCall {
  draft: CallDraft
  end: number
}

/**
 * Reads `get_page(id="7", depth=2)`, also `get_page({"id": "7"})`, `get_page.call(id="7")` and `print(get_page(…))`.
 * Values must be literals: a call whose argument has to be computed is code, and not for us to run.
 */
export function readPythonicCall(text: string, start: number): ReadCall | undefined {
  callName.lastIndex = start
  const match = callName.exec(text)
  const name = match?.[1]
  if (name === undefined) return undefined
  if (name === 'print') {
    const inner = readPythonicCall(text, callName.lastIndex)
    if (inner === undefined) return undefined
    const closing = skipBlanks(text, inner.end)
    return text[closing] === ')' ? { draft: inner.draft, end: closing + 1 } : undefined
  }
  return readArguments(text, callName.lastIndex, name.endsWith('.call') ? name.slice(0, -5) : name)
}

function readArguments(text: string, start: number, name: string): ReadCall | undefined {
  const named: [string, unknown][] = []
  const positional: unknown[] = []
  let at = start
  for (;;) {
    at = skipBlanks(text, at)
    if (text[at] === ')') break
    if (text[at] === ',') {
      at++
      continue
    }
    keyword.lastIndex = at
    const key = keyword.exec(text)?.[1]
    const value = readLiteral(text, key === undefined ? at : keyword.lastIndex)
    if (value === undefined || value.unclosed) return undefined
    if (key === undefined) positional.push(value.value)
    else named.push([key, value.value])
    at = skipBlanks(text, value.end)
    if (text[at] !== ',' && text[at] !== ')') return undefined
  }
  const end = at + 1
  if (positional.length === 0)
    return { draft: { name, arguments: { kind: 'values', value: Object.fromEntries(named) }, certainty: 'clean' }, end }
  if (named.length > 0 || positional.length > 1) return undefined
  const [sole] = positional
  const isObject = typeof sole === 'object' && sole !== null && !Array.isArray(sole)
  const written = isObject
    ? ({ kind: 'values', value: sole } as const)
    : ({ kind: 'positional', values: positional } as const)
  return { draft: { name, arguments: written, certainty: 'clean' }, end }
}

/** `[f(a=1), g(b=2)]`, or calls one after the other; nothing if anything else stands there. */
export function pythonicCalls(text: string): CallDraft[] | undefined {
  const drafts: CallDraft[] = []
  let at = skipBlanks(text, 0)
  const listed = text[at] === '['
  if (listed) at++
  for (;;) {
    const call = readPythonicCall(text, at)
    if (call === undefined) return undefined
    drafts.push(call.draft)
    at = skipBlanks(text, call.end)
    if (at >= text.length) return drafts
    if (listed && text[at] === ']') return skipBlanks(text, at + 1) >= text.length ? drafts : undefined
    if (',;'.includes(text[at] ?? '')) at = skipBlanks(text, at + 1)
    else if (listed) return undefined
    if (listed && text[at] === ']') return skipBlanks(text, at + 1) >= text.length ? drafts : undefined
  }
}

function skipBlanks(text: string, start: number): number {
  let at = start
  while (/\s/.test(text[at] ?? '')) at++
  return at
}
