import { taggedCalls } from '../bodies/tagged-parameters.ts'
import {
  type CallReader,
  more,
  type Reading,
  type ReadingAt,
  type ReadingContext,
  type TextFormat,
} from '../text-format.ts'

const closersOf: Record<string, string> = {
  '<function=': '</function>',
  '<function name=': '</function>',
  '<invoke name=': '</invoke>',
  '<｜DSML｜invoke name=': '</｜DSML｜invoke>',
}
const name = /["']?([\w.:/-]*)/y

/**
 * Calls in a tag of their own, without the wrapper they are usually in: `<function=get_page>{json}</function>`,
 * `<function=get_page><parameter=id>7</parameter></function>`, `<invoke name="get_page">…</invoke>`.
 */
export const functionTags: TextFormat = {
  name: 'function-tags',
  place: 'anywhere',
  starts: () => Object.keys(closersOf),
  open: (mark, context) => new FunctionTagReader(mark, closersOf[mark] ?? '', context),
}

class FunctionTagReader implements CallReader {
  private readonly mark: string
  private readonly closer: string
  private readonly context: ReadingContext
  private named = false
  private done = 0

  constructor(mark: string, closer: string, context: ReadingContext) {
    this.mark = mark
    this.closer = closer
    this.context = context
  }

  read({ text, start, final, truncated }: ReadingAt): Reading {
    const none: Reading = { kind: 'text', resume: start + this.mark.length }
    if (!this.named) {
      name.lastIndex = start + this.mark.length
      const written = name.exec(text)?.[1] ?? ''
      if (name.lastIndex >= text.length && !final) return this.context.tools.couldBecome(written) ? more : none
      if (this.context.tools.find(written) === undefined) return none
      this.named = true
      this.done = this.mark.length
    }
    const close = text.indexOf(this.closer, start + this.done)
    if (close === -1) {
      this.done = Math.max(this.done, text.length - this.closer.length - start)
      if (!final) return more
      return truncated ? { ...none, read: text.length } : this.take(text, start, text.length)
    }
    return this.take(text, start, close + this.closer.length)
  }

  private take(text: string, start: number, end: number): Reading {
    const drafts = taggedCalls(text.slice(start, end), this.context.repairs)
    return drafts === undefined ? { kind: 'text', resume: end } : { kind: 'calls', end, drafts }
  }
}
