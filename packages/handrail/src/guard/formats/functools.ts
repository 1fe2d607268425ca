import { jsonCalls } from '../bodies/json-calls.ts'
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

const mark = 'functools['

/** Firefunction and Phi-4-mini: `functools[{json}, …]`. */
export const functools: TextFormat = {
  name: 'functools',
  place: 'line',
  starts: () => [mark],
  open: (_, context) => new FunctoolsReader(context),
}

class FunctoolsReader implements CallReader {
  private readonly context: ReadingContext
  private readonly bracket = new BracketEnd(true)

  constructor(context: ReadingContext) {
    this.context = context
  }

  read({ text, start, final }: ReadingAt): Reading {
    const from = start + mark.length - 1
    const length = this.bracket.find(text, from)
    if (length === undefined) return final ? { kind: 'text', resume: start + mark.length, read: text.length } : more
    const end = from + length
    const parsed = parseJson(text.slice(from, end), this.context.repairs)
    const drafts = parsed === undefined ? undefined : jsonCalls(parsed.value, parsed.certainty, this.context.tools)
    return drafts === undefined ? { kind: 'text', resume: end } : { kind: 'calls', end, drafts }
  }
}
