import { jsonCalls } from '../bodies/json-calls.ts'
import { BracketEnd, Stops } from '../bracket-end.ts'
import { parseJson } from '../json/parse-json.ts'
import {
  type CallReader,
  more,
  type Reading,
  type ReadingAt,
  type ReadingContext,
  type TextFormat,
} from '../text-format.ts'

const mark = '[TOOL_CALLS]'
const stops = new Stops([mark, '</s>'])
const head = /\s*(?:([A-Za-z_][\w.:/-]*)\s*(?:\[CALL_ID\][\w-]*\s*)?(?:\[ARGS\]\s*)?(?=\{)|(?=\{|\[\s*\{))/y
const openHead = /^\s*(?:\[\s*|[\w.:/-]*\s*(?:\[[A-Z_]*\]?)?[\w-]*\s*(?:\[[A-Z]*\]?)?\s*)$/

/** Mistral, both forms: `[TOOL_CALLS][{json}, …]` and `[TOOL_CALLS]get_page[ARGS]{json}`, with or without `[CALL_ID]`. */
export const mistral: TextFormat = {
  name: 'mistral',
  place: 'anywhere',
  starts: () => [mark],
  open: (_, context) => new MistralReader(context),
}

class MistralReader implements CallReader {
  private readonly context: ReadingContext
  private readonly bracket = new BracketEnd(true, stops)
  private name: string | undefined
  private valueStart = -1

  constructor(context: ReadingContext) {
    this.context = context
  }

  read({ text, start, final, truncated }: ReadingAt): Reading {
    const none: Reading = { kind: 'text', resume: start + mark.length }
    if (this.valueStart === -1) {
      head.lastIndex = start + mark.length
      const match = head.exec(text)
      if (match === null) {
        const rest = text.slice(start + mark.length, start + mark.length + 300)
        return !final && openHead.test(rest) ? more : none
      }
      this.name = match[1]
      if (this.name !== undefined && this.context.tools.find(this.name) === undefined) return none
      this.valueStart = head.lastIndex - start
    }
    const valueStart = start + this.valueStart
    const length = this.bracket.find(text, valueStart)
    if (length !== undefined) return this.take(text, valueStart, valueStart + length)
    if (this.bracket.stopped) return this.take(text, valueStart, valueStart + this.bracket.read)
    if (!final) return more
    return truncated || this.bracket.inString
      ? { ...none, read: text.length }
      : this.take(text, valueStart, text.length)
  }

  private take(text: string, from: number, end: number): Reading {
    const parsed = parseJson(text.slice(from, end), this.context.repairs)
    if (parsed === undefined) return { kind: 'text', resume: end }
    const drafts =
      this.name === undefined
        ? jsonCalls(parsed.value, parsed.certainty, this.context.tools)
        : [
            {
              name: this.name,
              arguments: { kind: 'values', value: parsed.value } as const,
              certainty: parsed.certainty,
            },
          ]
    return drafts === undefined ? { kind: 'text', resume: end } : { kind: 'calls', end, drafts }
  }
}
