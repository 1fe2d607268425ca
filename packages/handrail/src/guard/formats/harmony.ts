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

const header =
  /(?:<\|start\|>assistant)?\s*(?:<\|channel\|>\w+)?\s*to=functions\.([\w.-]+)\s*(?:<\|channel\|>\w+)?\s*(?:<\|constrain\|>\w+|json|code)?\s*<\|message\|>\s*/y
/** The same after a server has left out the special tokens. */
const bareHeader = /(?:assistant)?(?:commentary|analysis)? ?to=functions\.([\w.-]+?) ?(?:json|code)? ?(?=\{)/y
const longestHeader = 300

/**
 * Harmony (gpt-oss): `<|channel|>commentary to=functions.get_page <|constrain|>json<|message|>{json}<|call|>`, the
 * recipient before or behind the channel.
 */
export const harmony: TextFormat = {
  name: 'harmony',
  place: 'anywhere',
  starts: () => [
    '<|channel|>',
    '<|start|>assistant',
    'to=functions.',
    'commentary to=functions.',
    'assistantcommentary to=functions.',
  ],
  open: (mark, context) => new HarmonyReader(mark, context),
}

class HarmonyReader implements CallReader {
  private readonly mark: string
  private readonly context: ReadingContext
  private readonly bracket = new BracketEnd(false)
  private name = ''
  private valueStart = -1

  constructor(mark: string, context: ReadingContext) {
    this.mark = mark
    this.context = context
  }

  read({ text, start, final, truncated }: ReadingAt): Reading {
    const none: Reading = { kind: 'text', resume: start + this.mark.length }
    if (this.valueStart === -1) {
      const pattern =
        this.mark.endsWith('to=functions.') && !text.slice(start, start + longestHeader).includes('<|')
          ? bareHeader
          : header
      pattern.lastIndex = start
      const match = pattern.exec(text)
      if (match === null) return final || !isOpenHeader(text.slice(start, start + longestHeader)) ? none : more
      if (this.context.tools.find(match[1] ?? '') === undefined) return none
      const valueStart = pattern.lastIndex
      if (text[valueStart] === undefined && !final) return more
      if (text[valueStart] !== '{') return none
      this.name = match[1] ?? ''
      this.valueStart = valueStart - start
    }
    const valueStart = start + this.valueStart
    const length = this.bracket.find(text, valueStart)
    if (length === undefined && !final) return more
    if (length === undefined && (truncated || this.bracket.inString)) return { ...none, read: text.length }
    const end = length === undefined ? text.length : valueStart + length
    const parsed = parseJson(text.slice(valueStart, end), this.context.repairs)
    if (parsed === undefined) return { kind: 'text', resume: end }
    const draft = {
      name: this.name,
      arguments: { kind: 'values', value: parsed.value } as const,
      certainty: parsed.certainty,
    }
    return { kind: 'calls', end, drafts: [draft] }
  }
}

/** Whether this may still become a header: its message has not begun. */
function isOpenHeader(text: string): boolean {
  if (text.length >= longestHeader || text.includes('<|message|>')) return false
  return /^(?:<\|start\|>assistant|<\|channel\|>|[a-z ]*to=functions\.)[\w\s.=|<>-]*$/.test(text)
}
