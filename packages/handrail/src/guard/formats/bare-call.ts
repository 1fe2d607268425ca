import { readPythonicCall } from '../bodies/pythonic-calls.ts'
import { BracketEnd } from '../bracket-end.ts'
import { parseJson } from '../json/parse-json.ts'
import {
  type CallReader,
  more,
  type Reading,
  type ReadingAt,
  type ReadingContext,
  type TextFormat,
} from '../text-format.ts'

const behindName = /(\s*\()|(?:<[^>\s]{0,30}>)?(\s*\n\s*|\s*)(?=\{)/y

/**
 * A tool's name at the start of a line, and its arguments: `get_page(id="7")` with nothing behind it on the line, or
 * `get_page` and a JSON object on the next (Functionary).
 */
export const bareCall: TextFormat = {
  name: 'bare-call',
  place: 'line',
  starts: (tools) => [
    ...tools.names,
    ...tools.names.map((name) => `>>>${name}`),
    ...tools.names.map((name) => `print(${name}`),
  ],
  open: (mark, context) => new BareCallReader(mark, context),
}

class BareCallReader implements CallReader {
  private readonly mark: string
  private readonly context: ReadingContext
  private bracket: BracketEnd | undefined
  private bracketStart = -1

  constructor(mark: string, context: ReadingContext) {
    this.mark = mark
    this.context = context
  }

  read({ text, start, final }: ReadingAt): Reading {
    const none: Reading = { kind: 'text', resume: start + this.mark.length }
    const printed = this.mark.startsWith('print(')
    if (this.bracket === undefined) {
      behindName.lastIndex = start + this.mark.length
      const match = behindName.exec(text)
      if (match === null)
        return final || text.slice(start + this.mark.length, start + this.mark.length + 100).trim() !== '' ? none : more
      if (match[1] === undefined && (printed || !(match[2] ?? '').includes('\n'))) return none
      this.bracketStart = printed ? 'print'.length : behindName.lastIndex - start - (match[1] === undefined ? 0 : 1)
      this.bracket = new BracketEnd(true)
    }
    const from = start + this.bracketStart
    const length = this.bracket.find(text, from)
    if (length === undefined) return final ? { ...none, read: text.length } : more
    const end = from + length
    const behind = /^[ \t]*[;,]?[ \t]*(\n|\S)?/.exec(text.slice(end, end + 50))?.[1]
    if (behind === undefined && !final && end + 50 > text.length) return more
    if (behind !== undefined && behind !== '\n') return { kind: 'text', resume: end }
    return this.take(text, start, end) ?? { kind: 'text', resume: end }
  }

  private take(text: string, start: number, end: number): Reading | undefined {
    if (text[start + this.bracketStart] === '(') {
      const call = readPythonicCall(text.slice(start, end).replace(/^>>>/, ''), 0)
      return call === undefined ? undefined : { kind: 'calls', end, drafts: [call.draft] }
    }
    const parsed = parseJson(text.slice(start + this.bracketStart, end), this.context.repairs)
    if (parsed === undefined) return undefined
    const name = this.mark.replace(/^>>>/, '')
    return {
      kind: 'calls',
      end,
      drafts: [{ name, arguments: { kind: 'values', value: parsed.value }, certainty: parsed.certainty }],
    }
  }
}
