import { readBody } from './bodies/read-body.ts'
import { BracketEnd, type Stops } from './bracket-end.ts'
import { callHead } from './call-head.ts'
import { type CallReader, more, type Reading, type ReadingAt, type ReadingContext } from './text-format.ts'

export interface Wrapping {
  /** The mark the call began with. */
  mark: string
  /** What ends it. Without any, it ends with its body. */
  closers: readonly string[]
  /** Marks that may begin the next call where the end of this one was forgotten. */
  openers: readonly string[]
  /** Both of these. */
  stops: Stops
}

/** Words a body may begin with that are no tool's name. */
const bodyWords = ['call', 'function', 'print']
const word = /[\w.:/-]*/y
const wrongCloser = /<\/[\w:]{1,40}>/y

/** Reads a call between a mark and its end, whatever the body is written in. */
export class WrappedReader implements CallReader {
  private readonly wrapping: Wrapping
  private readonly context: ReadingContext
  private kind: 'unknown' | 'values' | 'other' = 'unknown'
  /** How far the body was read, from the mark's first character on. */
  private done: number
  private bracket: BracketEnd | undefined
  private bodyStart: number
  private lastValueEnd = -1

  constructor(wrapping: Wrapping, context: ReadingContext) {
    this.wrapping = wrapping
    this.context = context
    this.done = wrapping.mark.length
    this.bodyStart = this.done
  }

  read(at: ReadingAt): Reading {
    if (this.kind === 'unknown') {
      const begun = this.begin(at)
      if (begun !== undefined) return begun
    }
    return this.kind === 'values' ? this.readValues(at) : this.readOther(at)
  }

  /** Looks at the first letters of the body; nothing when they settled what it is. */
  private begin(at: ReadingAt): Reading | undefined {
    const { text, start, final } = at
    const none: Reading = { kind: 'text', resume: start + this.wrapping.mark.length }
    let index = start + this.done
    while (/\s/.test(text[index] ?? '')) index++
    this.done = index - start
    this.bodyStart = this.done
    const letter = text[index]
    if (letter === undefined) return final ? none : more
    if (letter === '{' || letter === '[') {
      const object =
        letter === '{'
          ? index
          : /\S/.exec(text.slice(index + 1, index + 50))?.[0] === '{'
            ? text.indexOf('{', index)
            : -1
      if (object !== -1) {
        const head = callHead(text, object + 1, this.context.tools, final)
        if (head === 'unclear') return more
        if (head === 'none' && !this.mayBeKeyed(text, object)) return none
      }
      this.kind = 'values'
    } else if (letter === '<') {
      if (this.opensAgain(text, index)) return none
      this.kind = 'other'
    } else if (letter === '`' || letter === '/') this.kind = 'other'
    else {
      word.lastIndex = index
      const written = word.exec(text)?.[0] ?? ''
      if (written === '') return none
      const complete = index + written.length < text.length || final
      if (!complete) return this.mayBeName(written) ? more : none
      if (!this.isName(written)) return none
      this.kind = 'other'
    }
    return undefined
  }

  private opensAgain(text: string, index: number): boolean {
    return this.wrapping.stops.at(text, index, text.charCodeAt(index)) === true
  }

  /** `{"get_page": {…}}`, or a head that only a repair can read: not a foreign tool, nor other JSON. */
  private mayBeKeyed(text: string, object: number): boolean {
    const key = /^\{\s*["']?([\w.:/-]+)["']?\s*:/.exec(text.slice(object, object + 200))?.[1]
    return key === undefined || this.context.tools.find(key) !== undefined
  }

  private mayBeName(written: string): boolean {
    if (this.isName(written.replace(/\.c?a?l?l?$/, '')) || this.context.tools.couldBecome(written)) return true
    return bodyWords.some((name) => name.startsWith(written))
  }

  private isName(written: string): boolean {
    if (written.startsWith('call:') || bodyWords.includes(written)) return true
    return this.context.tools.find(written.replace(/\.call$/, '')) !== undefined
  }

  /** JSON or a pythonic list: the body ends with its last bracket. */
  private readValues(at: ReadingAt): Reading {
    const { text, start, final } = at
    for (;;) {
      if (this.bracket === undefined) {
        const next = this.betweenValues(at)
        if (next !== undefined) return next
      }
      this.bracket ??= new BracketEnd(true, this.wrapping.stops)
      const valueStart = start + this.done
      const length = this.bracket.find(text, valueStart)
      if (length !== undefined) {
        this.done += length
        this.lastValueEnd = this.done
        this.bracket = undefined
        continue
      }
      if (this.bracket.stopped) {
        const stop = valueStart + this.bracket.read
        if (this.wrapping.openers.some((opener) => text.startsWith(opener, stop))) return { kind: 'text', resume: stop }
        return this.take(at, stop, this.closerAt(text, stop) ?? stop)
      }
      const inString = this.bracket.stoppedInString
      if (inString !== -1) {
        const stop = valueStart + inString
        if (final || this.nextCallFollows(text, stop)) return this.take(at, stop, this.closerAt(text, stop) ?? stop)
      }
      if (!final) return more
      if (this.bracket.inString || at.truncated)
        return { kind: 'text', resume: start + this.wrapping.mark.length, read: text.length }
      return this.take(at, text.length, text.length)
    }
  }

  /** Behind a value: the end, a further value, or something that ends the body. Nothing when a value begins. */
  private betweenValues(at: ReadingAt): Reading | undefined {
    const { text, start, final } = at
    let index = start + this.done
    while (/[\s,;}\]]/.test(text[index] ?? '') && (this.lastValueEnd !== -1 || !/[}\]]/.test(text[index] ?? '')))
      index++
    const letter = text[index]
    if (letter === '{' || letter === '[') {
      // A mark in brackets, such as `[/TOOL_CALLS]`, is no value.
      if (!this.opensAgain(text, index)) {
        this.done = index - start
        return undefined
      }
    }
    const valuesEnd = start + this.lastValueEnd
    if (letter === undefined) return final ? this.take(at, index, index) : more
    const closed = this.closerAt(text, index)
    if (closed !== undefined) return this.take(at, index, closed)
    const rest = text.slice(index, index + 60)
    if (this.wrapping.stops.at(text, index, text.charCodeAt(index)) === 'unclear') {
      if (!final) return more
      // The last letters of the closing mark are missing.
      if (this.wrapping.closers.some((closer) => closer.startsWith(rest))) return this.take(at, index, text.length)
    }
    wrongCloser.lastIndex = index
    const wrong = wrongCloser.exec(text)
    if (wrong !== null) {
      const behind = wrongCloser.lastIndex
      const tail = text.slice(behind, behind + 60)
      if (!final && this.wrapping.closers.some((closer) => closer.length > tail.length && closer.startsWith(tail)))
        return more
      return this.take(at, index, this.closerAt(text, behind) ?? behind)
    }
    if (letter === '<' && !final && /^<\/?[\w:]{0,40}$/.test(rest)) return more
    return this.takeOpen(at, valuesEnd)
  }

  /** Two calls, the first without its end: only what is beyond doubt is taken. */
  private takeOpen(at: ReadingAt, end: number): Reading {
    const reading = this.take(at, end, end)
    if (reading.kind !== 'calls') return reading
    const sure = reading.drafts.every((draft) => draft.certainty === 'clean' && draft.arguments.kind !== 'none')
    return sure ? reading : { kind: 'text', resume: end }
  }

  private nextCallFollows(text: string, stop: number): boolean {
    const closed = this.closerAt(text, stop)
    if (closed === undefined) return false
    const rest = text.slice(closed, closed + 200).trimStart()
    return this.wrapping.openers.some((opener) => rest.startsWith(opener))
  }

  /** Tags, names and code: the body ends where its closing mark stands. */
  private readOther(at: ReadingAt): Reading {
    const { text, start, final } = at
    const from = start + this.done
    const stop = this.wrapping.stops.next(text, from)
    if (stop === -1) {
      this.done = Math.max(this.done, text.length - this.wrapping.stops.longest + 1 - start)
      if (!final) return more
      if (at.truncated) return { kind: 'text', resume: start + this.wrapping.mark.length, read: text.length }
      return this.take(at, withoutPartial(text, this.wrapping.closers), text.length)
    }
    return this.take(at, stop, this.closerAt(text, stop) ?? stop)
  }

  private closerAt(text: string, index: number): number | undefined {
    const closer = this.wrapping.closers.find((candidate) => text.startsWith(candidate, index))
    return closer === undefined ? undefined : index + closer.length
  }

  private take(at: ReadingAt, bodyEnd: number, end: number): Reading {
    const drafts = readBody(at.text.slice(at.start + this.bodyStart, bodyEnd), this.context)
    return drafts === undefined ? { kind: 'text', resume: end } : { kind: 'calls', end, drafts }
  }
}

/** Where the text ends when the first letters of a closing mark at its end are left out. */
function withoutPartial(text: string, closers: readonly string[]): number {
  for (const closer of closers)
    for (let length = closer.length - 1; length > 1; length--)
      if (text.endsWith(closer.slice(0, length))) return text.length - length
  return text.length
}
