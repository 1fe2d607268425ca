/** Texts that end a call whatever is open, such as `</tool_call>`. */
export class Stops {
  readonly marks: readonly string[]
  /** The marks by their first two letters. */
  private readonly byStart = new Map<number, string[]>()
  private readonly firstCodes: ReadonlySet<number>
  private readonly pattern: RegExp
  readonly longest: number

  constructor(marks: readonly string[]) {
    this.marks = marks
    this.firstCodes = new Set(marks.map((mark) => mark.charCodeAt(0)))
    for (const mark of marks) {
      const start = startOf(mark, 0)
      this.byStart.set(start, [...(this.byStart.get(start) ?? []), mark])
    }
    // Longer ones first, as an alternation takes the first that matches.
    const sorted = [...marks].sort((one, other) => other.length - one.length)
    this.pattern = new RegExp(
      sorted.map((mark) => mark.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|') || '(?!)',
      'g',
    )
    this.longest = Math.max(1, ...marks.map((mark) => mark.length))
  }

  /** Where the next one is; -1 if there is none. */
  next(text: string, from: number): number {
    this.pattern.lastIndex = from
    return this.pattern.exec(text)?.index ?? -1
  }

  /** Whether one is here; `unclear` if the text ends in its middle. */
  at(text: string, index: number, code: number): boolean | 'unclear' {
    if (!this.firstCodes.has(code)) return false
    if (index + 1 >= text.length) return 'unclear'
    let open = false
    for (const mark of this.byStart.get(startOf(text, index)) ?? []) {
      if (text.startsWith(mark, index)) return true
      open ||= index + mark.length > text.length && mark.startsWith(text.slice(index))
    }
    return open && 'unclear'
  }
}

function startOf(text: string, index: number): number {
  return text.charCodeAt(index) * 65_536 + text.charCodeAt(index + 1)
}

const none = new Stops([])

/** Finds where a bracketed value ends, reading each character once however often it is asked. */
export class BracketEnd {
  /** How far it has read, from the opening bracket on. */
  read = 0
  depth = 0
  /** Where a stop stood inside a string: where the call ends if the string was never closed. */
  stoppedInString = -1
  /** A stop was met outside strings while brackets were open, at `read`. */
  stopped = false
  private length: number | undefined
  /** The code of the quote of the string it is in. */
  private quote = 0
  /** The second letter of the comment it is in. */
  private comment = 0
  private readonly singleQuotes: boolean
  private readonly stops: Stops

  /** @param singleQuotes whether `'` begins a string too. */
  constructor(singleQuotes: boolean, stops: Stops = none) {
    this.singleQuotes = singleQuotes
    this.stops = stops
  }

  get inString(): boolean {
    return this.quote !== 0
  }

  /**
   * @param start where the opening bracket is.
   * @param limit how far to read.
   * @returns the length of the value; nothing while it is open.
   */
  find(text: string, start: number, limit = text.length): number | undefined {
    if (this.length !== undefined) return this.length
    let at = start + this.read
    const end = Math.min(limit, text.length)
    reading: while (at < end) {
      if (this.comment !== 0) {
        const behind = endOfComment(text, at, this.comment)
        if (behind === undefined) {
          // The last letter may be the first half of the end.
          at = Math.max(at, text.length - 1)
          break
        }
        this.comment = 0
        at = behind
        continue
      }
      const code = text.charCodeAt(at)
      if (this.quote !== 0) {
        if (code === this.quote) this.quote = 0
        else if (code === 0x5c) at++
        else if ((code === 0x3c || code === 0x5b) && this.stoppedInString === -1) {
          const stop = this.stops.at(text, at, code)
          if (stop === 'unclear') break
          if (stop) this.stoppedInString = at - start
        }
        at++
        continue
      }
      switch (code) {
        case 0x22:
          this.quote = code
          break
        case 0x27:
          if (this.singleQuotes && opensString(text, at)) this.quote = code
          break
        case 0x7b:
        case 0x28:
          this.depth++
          break
        case 0x7d:
        case 0x5d:
        case 0x29:
          if (--this.depth <= 0) {
            this.length = at + 1 - start
            return this.length
          }
          break
        case 0x2f: {
          // What a slash is only the next letter shows.
          const next = text.charCodeAt(at + 1)
          if (at + 1 >= text.length) break reading
          if ((next === 0x2f || next === 0x2a) && !/[A-Za-z:/]/.test(text.charAt(at - 1))) {
            this.comment = next
            at++
          }
          break
        }
        case 0x5b:
        case 0x3c: {
          const stop = this.stops.at(text, at, code)
          if (stop === 'unclear') break reading
          if (stop) {
            this.stopped = true
            break reading
          }
          if (code === 0x5b) this.depth++
          break
        }
        default:
      }
      at++
    }
    this.read = at - start
    return undefined
  }
}

/** Behind a line comment's line break, or a block comment's end; nothing while it is open. */
function endOfComment(text: string, at: number, kind: number): number | undefined {
  for (let index = at; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (kind === 0x2f && (code === 0x0a || code === 0x0d)) return index
    if (kind === 0x2a && code === 0x2a && text.charCodeAt(index + 1) === 0x2f) return index + 2
  }
  return undefined
}

/** An apostrophe inside a word is none. */
function opensString(text: string, at: number): boolean {
  return !/\w/.test(text.charAt(at - 1))
}
