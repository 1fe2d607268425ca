import { pythonicCalls } from '../bodies/pythonic-calls.ts'
import { BracketEnd } from '../bracket-end.ts'
import {
  type CallReader,
  more,
  type Reading,
  type ReadingAt,
  type ReadingContext,
  type TextFormat,
} from '../text-format.ts'

const head = /\[\s*([A-Za-z_][\w.-]*)\s*\(/y

/** `[get_page(id="7"), get_user(id="9")]`, anywhere: no link or list in prose looks like that. */
export const pythonicList: TextFormat = {
  name: 'pythonic-list',
  place: 'anywhere',
  starts: () => ['['],
  open: (_, context) => new PythonicListReader(context),
}

class PythonicListReader implements CallReader {
  private readonly context: ReadingContext
  private readonly bracket = new BracketEnd(true)
  private named = false

  constructor(context: ReadingContext) {
    this.context = context
  }

  read({ text, start, final }: ReadingAt): Reading {
    const none: Reading = { kind: 'text', resume: start + 1 }
    if (!this.named) {
      head.lastIndex = start
      const name = head.exec(text)?.[1]
      if (name === undefined) {
        const open = final ? null : /^\[\s*([A-Za-z_][\w.-]*)?(\s*)$/.exec(text.slice(start, start + 300))
        if (open === null) return none
        const written = open[1] ?? ''
        const could =
          open[2] === '' ? this.context.tools.couldBecome(written) : this.context.tools.find(written) !== undefined
        return could || written === '' ? more : none
      }
      if (this.context.tools.find(name) === undefined) return none
      this.named = true
    }
    const length = this.bracket.find(text, start)
    if (length === undefined) return final ? { ...none, read: text.length } : more
    const drafts = pythonicCalls(text.slice(start, start + length))
    return drafts === undefined
      ? { kind: 'text', resume: start + length }
      : { kind: 'calls', end: start + length, drafts }
  }
}
