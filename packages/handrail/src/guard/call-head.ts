import { argumentKeys, nameKeys, sideKeys } from './bodies/json-calls.ts'
import type { ToolIndex } from './tool-index.ts'

const kinds = new Map<string, 'name' | 'arguments' | 'side' | 'list'>([
  ...nameKeys.map((key) => [key, 'name'] as const),
  ...argumentKeys.map((key) => [key, 'arguments'] as const),
  ...sideKeys.map((key) => [key, 'side'] as const),
  ['tool_calls', 'list'],
])
const longestKey = Math.max(...[...kinds.keys()].map((key) => key.length))
const callTypes = new Set(['function', 'function_call', 'tool_call', 'tool_use', 'tool'])
const longestHead = 600

export type CallHead = 'call' | 'none' | 'unclear'

/**
 * Whether an object may be a call, from its first members alone.
 *
 * @param start just behind the opening brace.
 * @returns `call`: it has the name of an offered tool, or arguments; `none`: it has what no call has; `unclear`: more
 * text is needed.
 */
export function callHead(text: string, start: number, tools: ToolIndex, final: boolean): CallHead {
  const undecided = final ? 'none' : 'unclear'
  let at = start
  while (at - start < longestHead) {
    at = skipBlanks(text, at)
    const key = readKey(text, at)
    if (key === 'unclear') return undecided
    if (key === undefined) return 'none'
    at = skipBlanks(text, key.end)
    if (at >= text.length) return undecided
    if (text[at] !== ':') return 'none'
    at = skipBlanks(text, at + 1)
    const next = text[at]
    if (next === undefined) return undecided
    if (key.kind === 'arguments') return '{["\'nN'.includes(next) || key.name === 'input' ? 'call' : 'none'
    if (key.kind === 'list') return next === '[' ? 'call' : 'none'
    if (key.name === 'function' && next === '{') return 'call'
    const value = readScalar(text, at, key.kind === 'name' ? tools : undefined)
    if (value === 'unclear') return undecided
    if (value === undefined) return 'none'
    if (key.kind === 'name') return value.text !== undefined && tools.find(value.text) !== undefined ? 'call' : 'none'
    if (key.name === 'type' && !callTypes.has(value.text ?? '')) return 'none'
    at = skipBlanks(text, value.end)
    if (at >= text.length) return undecided
    if (text[at] !== ',') return 'none'
    at++
  }
  return 'none'
}

function skipBlanks(text: string, start: number): number {
  let at = start
  for (
    let code = text.charCodeAt(at);
    code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
    code = text.charCodeAt(at)
  )
    at++
  return at
}

interface Key {
  name: string
  kind: 'name' | 'arguments' | 'side' | 'list'
  end: number
}

/** A key that calls have; nothing if it is another. */
function readKey(text: string, start: number): Key | 'unclear' | undefined {
  const quote = text[start]
  if (quote === undefined) return 'unclear'
  const quoted = quote === '"' || quote === "'"
  const from = quoted ? start + 1 : start
  let end = from
  while (end - from <= longestKey && isWord(text.charCodeAt(end))) end++
  // `"n\u0061me"` is `"name"` too, but nobody who means a call writes it so: it may be one only with all its text.
  if (end >= text.length) return couldBecomeKey(text.slice(from)) ? 'unclear' : undefined
  const name = text.slice(from, end)
  const kind = kinds.get(name)
  if (kind === undefined) return undefined
  if (!quoted) return { name, kind, end }
  return text[end] === quote ? { name, kind, end: end + 1 } : undefined
}

function isWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || code === 0x5f
}

function couldBecomeKey(written: string): boolean {
  for (const key of kinds.keys()) if (key.startsWith(written)) return true
  return false
}

/** A text, a number or null; for a number or null without the text. */
function readScalar(
  text: string,
  start: number,
  tools: ToolIndex | undefined,
): { text: string | undefined; end: number } | 'unclear' | undefined {
  const quote = text[start]
  if (quote !== '"' && quote !== "'") {
    let end = start
    while (end - start < 30 && /[\w.+-]/.test(text.charAt(end))) end++
    if (end >= text.length) return 'unclear'
    return end === start ? undefined : { text: undefined, end }
  }
  let escaped = false
  for (let at = start + 1; at - start < 200; at++) {
    const letter = text[at]
    if (letter === undefined) {
      const written = text.slice(start + 1)
      return tools === undefined || escaped || tools.couldBecome(written) ? 'unclear' : undefined
    }
    if (letter === '\\') {
      escaped = true
      at++
    } else if (letter === quote) return { text: unescaped(text.slice(start + 1, at), escaped), end: at + 1 }
    else if (letter === '\n') return undefined
  }
  return undefined
}

function unescaped(written: string, escaped: boolean): string {
  if (!escaped) return written
  try {
    return String(JSON.parse(`"${written}"`))
  } catch {
    return written
  }
}
