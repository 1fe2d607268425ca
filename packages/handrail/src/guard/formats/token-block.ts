import type { CallDraft } from '../bodies/call-draft.ts'
import { taggedCalls } from '../bodies/tagged-parameters.ts'
import type { Stops } from '../bracket-end.ts'
import { parseJson } from '../json/parse-json.ts'
import { type CallReader, more, type Reading, type ReadingAt, type ReadingContext } from '../text-format.ts'

/** The tokens of one dialect; texts that mean the same stand beside each other. */
export interface TokenBlock {
  section: Stops
  sectionEnd: Stops
  call: Stops
  callEnd: Stops
  separator: Stops
}

/** Reads calls that stand in special tokens: a section of calls, each with a name, a separator and arguments. */
export class TokenBlockReader implements CallReader {
  private readonly tokens: TokenBlock
  private readonly context: ReadingContext
  private readonly mark: string
  private readonly inSection: boolean
  private done: number

  constructor(mark: string, tokens: TokenBlock, context: ReadingContext) {
    this.tokens = tokens
    this.context = context
    this.mark = mark
    this.inSection = tokens.section.marks.includes(mark)
    this.done = mark.length
  }

  read({ text, start, final, truncated }: ReadingAt): Reading {
    const body = start + (this.inSection ? this.mark.length : 0)
    const ends = this.inSection ? this.tokens.sectionEnd : this.tokens.callEnd
    const from = start + this.done
    const end = ends.next(text, from)
    if (end === -1) {
      this.done = Math.max(this.done, text.length - ends.longest - start)
      if (!final) return more
      const none: Reading = { kind: 'text', resume: start + this.mark.length, read: text.length }
      if (truncated) return none
      const cut = this.take(text, body, text.length, text.length)
      return cut.kind === 'calls' ? cut : none
    }
    return this.take(text, body, end, end + lengthAt(text, end, ends))
  }

  private take(text: string, from: number, bodyEnd: number, end: number): Reading {
    const drafts: CallDraft[] = []
    for (const piece of pieces(text.slice(from, bodyEnd), this.tokens.call)) {
      if (piece.trim() === '') continue
      const draft = this.draftOf(piece)
      if (draft === undefined) return { kind: 'text', resume: end }
      drafts.push(...draft)
    }
    return drafts.length === 0 ? { kind: 'text', resume: end } : { kind: 'calls', end, drafts }
  }

  private draftOf(piece: string): CallDraft[] | undefined {
    const separator = this.tokens.separator.next(piece, 0)
    if (separator === -1) return undefined
    const callEnd = this.tokens.callEnd.next(piece, 0)
    let name = piece.slice(0, separator).trim()
    const from = separator + lengthAt(piece, separator, this.tokens.separator)
    let written = piece.slice(from, callEnd === -1 ? piece.length : callEnd).trim()
    if (written.startsWith('<')) return taggedCalls(written, this.context.repairs)
    if (name === 'function') {
      // DeepSeek R1 and V3: the word `function`, the separator, then the name and the arguments in a fence.
      const line = /^([\w.:/-]+)\s*/.exec(written)
      name = line?.[1] ?? ''
      written = written.slice(line?.[0].length ?? 0)
    }
    if (this.context.tools.find(name) === undefined) return undefined
    const json = written
      .replace(/^```(?:json)?\s*/, '')
      .replace(/```$/, '')
      .trim()
    const parsed = json === '' ? { value: {}, certainty: 'clean' as const } : parseJson(json, this.context.repairs)
    if (parsed === undefined) return undefined
    return [{ name, arguments: { kind: 'values', value: parsed.value }, certainty: parsed.certainty }]
  }
}

function lengthAt(text: string, index: number, stops: Stops): number {
  return stops.marks.find((mark) => text.startsWith(mark, index))?.length ?? 0
}

function* pieces(text: string, marks: Stops): Iterable<string> {
  let from = 0
  for (;;) {
    const next = marks.next(text, from)
    yield text.slice(from, next === -1 ? text.length : next)
    if (next === -1) return
    from = next + lengthAt(text, next, marks)
  }
}
