import { parseJson } from '../json/parse-json.ts'
import type { RepairAllowance } from '../json/repair-allowance.ts'
import type { CallDraft } from './call-draft.ts'

/** `<function=name>`, `<function name="name">`, `<invoke name="name">`, with any prefix before the word. */
const opening = /<([^\s<>/=]*?)(function|invoke|tool)(?:=|\s+name\s*=\s*)("[^"]*"|'[^']*'|[^\s>"']+)[^>]*?(\/?)>/y
const parameter =
  /\s*<([^\s<>/=]*?)(parameter|param|arg|argument)(?:=|\s+name\s*=\s*)("[^"]*"|'[^']*'|[^\s>"']+)[^>]*>/y

/**
 * Calls whose parameters stand in tags: Qwen3-Coder, Seed-OSS, MiniMax, DeepSeek's DSML, Claude's `<invoke>`. In place
 * of parameters there may be one JSON object.
 *
 * @returns nothing if anything else stands there.
 */
export function taggedCalls(text: string, repairs: RepairAllowance): CallDraft[] | undefined {
  const drafts: CallDraft[] = []
  let at = 0
  for (;;) {
    while (/[\s,]/.test(text[at] ?? '')) at++
    if (at >= text.length) return drafts.length === 0 ? undefined : drafts
    opening.lastIndex = at
    const match = opening.exec(text)
    if (match === null) return undefined
    const [, prefix = '', word = '', name = '', selfClosing] = match
    if (selfClosing === '/') {
      drafts.push({ name: unquoted(name), arguments: { kind: 'values', value: {} }, certainty: 'clean' })
      at = opening.lastIndex
      continue
    }
    const closer = `</${prefix}${word}>`
    const body = readBody(text, opening.lastIndex, closer, repairs)
    if (body === undefined) return undefined
    drafts.push({ name: unquoted(name), arguments: body.arguments, certainty: 'clean' })
    at = body.end
  }
}

function unquoted(name: string): string {
  return /^["']/.test(name) ? name.slice(1, -1) : name
}

interface ParameterTag {
  prefix: string
  word: string
}

interface Body {
  arguments: CallDraft['arguments']
  end: number
}

function readBody(text: string, start: number, closer: string, repairs: RepairAllowance): Body | undefined {
  const texts = new Map<string, string>()
  const call = new CallEnd(text, closer)
  let at = start
  for (;;) {
    parameter.lastIndex = at
    const match = parameter.exec(text)
    if (match === null) break
    const [, prefix = '', word = '', name = ''] = match
    const value = readValue(text, parameter.lastIndex, { prefix, word }, call)
    texts.set(unquoted(name), value.text)
    at = value.end
  }
  const callEnd = call.next(at)
  const end = Math.min(callEnd + closer.length, text.length)
  const rest = text.slice(at, callEnd).trim()
  if (rest === '') return { arguments: { kind: 'texts', texts }, end }
  if (texts.size > 0) return undefined
  const parsed = parseJson(rest, repairs)
  return parsed === undefined ? undefined : { arguments: { kind: 'values', value: parsed.value }, end }
}

/** A value may hold its own closing tag: the true one is followed by the next parameter or the call's end. */
function readValue(text: string, start: number, tag: ParameterTag, call: CallEnd): { text: string; end: number } {
  const closer = `</${tag.prefix}${tag.word}>`
  if (text.startsWith('<![CDATA[', start)) {
    const end = text.indexOf(']]>', start)
    if (end !== -1 && text.startsWith(closer, end + 3))
      return { text: text.slice(start + 9, end), end: end + 3 + closer.length }
  }
  const first = text.indexOf(closer, start)
  const callEnd = call.next(start)
  // A closing tag that was forgotten: the value ends with its line, before the next parameter.
  const upTo = first === -1 ? callEnd : first
  const opened = text.slice(start, upTo).indexOf(`\n<${tag.prefix}${tag.word}`)
  if (opened !== -1) return { text: withoutFrame(text.slice(start, start + opened + 1)), end: start + opened }
  if (first === -1) return { text: withoutFrame(text.slice(start, callEnd)), end: callEnd }
  let end = first
  for (let tries = 0; tries < 100 && !standsBeforeStructure(text, end + closer.length, call.closer); tries++) {
    const next = text.indexOf(closer, end + closer.length)
    if (next === -1) break
    end = next
  }
  return { text: withoutFrame(text.slice(start, end)), end: end + closer.length }
}

function standsBeforeStructure(text: string, at: number, callCloser: string): boolean {
  parameter.lastIndex = at
  const rest = text.slice(at, at + 200).trimStart()
  return rest === '' || rest.startsWith(callCloser) || rest.startsWith('</') || parameter.test(text)
}

/** The line breaks that set a value apart from its tags are not part of it; a break on one side only is. */
function withoutFrame(value: string): string {
  if (!value.startsWith('\n')) return value
  const inner = value.slice(1)
  return inner.endsWith('\n') ? inner.slice(0, -1) : inner
}

/** Where the call's closing tag is, looked for once and not once per parameter. */
class CallEnd {
  readonly closer: string
  private readonly text: string
  private found = -1

  constructor(text: string, closer: string) {
    this.text = text
    this.closer = closer
  }

  /** The end of the text if the tag is missing. */
  next(from: number): number {
    if (this.found < from) {
      const index = this.text.indexOf(this.closer, from)
      this.found = index === -1 ? this.text.length : index
    }
    return this.found
  }
}
