import { jsonCalls } from '../bodies/json-calls.ts'
import { BracketEnd } from '../bracket-end.ts'
import { callHead } from '../call-head.ts'
import { parseJson } from '../json/parse-json.ts'
import {
  type CallReader,
  more,
  type Reading,
  type ReadingAt,
  type ReadingContext,
  type TextFormat,
} from '../text-format.ts'

const dataBrace = /\{\s*"/y
const listHead = /\[\s*(?=\S)/y

/** JSON and nothing around it: `{"name": "get_page", "arguments": {…}}`, a list of these, `{"tool_calls": […]}`. */
export const bareJson: TextFormat = {
  name: 'bare-json',
  place: 'apart',
  starts: () => ['{', '['],
  open: (_, context, inLine) => new BareJsonReader(context, inLine),
}

class BareJsonReader implements CallReader {
  private readonly context: ReadingContext
  private readonly bracket = new BracketEnd(true)
  private readonly inLine: boolean
  private isCall = false

  constructor(context: ReadingContext, inLine: boolean) {
    this.context = context
    this.inLine = inLine
  }

  read({ text, start, final, truncated }: ReadingAt): Reading {
    const none: Reading = { kind: 'text', resume: start + 1, read: text.length }
    if (!this.isCall) {
      let brace = start
      if (text[start] === '[') {
        listHead.lastIndex = start
        if (!listHead.test(text)) return final ? none : more
        brace = listHead.lastIndex
        if (text[brace] !== '{') return { kind: 'text', resume: start + 1 }
      }
      const head = callHead(text, brace + 1, this.context.tools, final)
      if (head === 'unclear') return more
      if (head === 'none') return { kind: 'text', resume: start + 1, data: beginsData(text, brace) }
      this.isCall = true
    }
    const length = this.bracket.find(text, start)
    if (length !== undefined) {
      const end = start + length
      const behind = this.inLine ? /[^ \t]/.exec(text.slice(end, end + 200))?.[0] : '\n'
      if (behind === undefined && !final) return more
      // Words before and behind it on its line: it is spoken of.
      return behind === undefined || behind === '\n' ? this.take(text, start, end) : { kind: 'text', resume: end }
    }
    if (!final) return more
    if (truncated || this.bracket.inString || this.bracket.depth > 3) return none
    const cut = this.take(text, start, text.length)
    return cut.kind === 'calls' ? cut : none
  }

  private take(text: string, start: number, end: number): Reading {
    const parsed = parseJson(text.slice(start, end), this.context.repairs)
    const drafts = parsed === undefined ? undefined : jsonCalls(parsed.value, parsed.certainty, this.context.tools)
    return drafts === undefined ? { kind: 'text', resume: end } : { kind: 'calls', end, drafts }
  }
}

/** Behind an opening brace: whether a JSON object goes on here, or prose. */
export function beginsData(text: string, brace: number): boolean {
  dataBrace.lastIndex = brace
  return dataBrace.test(text)
}
