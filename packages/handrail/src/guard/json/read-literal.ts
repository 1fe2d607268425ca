/** A value and where it ended. */
export interface ReadValue {
  value: unknown
  end: number
  /** A bracket or quote was never closed. */
  unclosed: boolean
}

const deepest = 100
const words = new Map<string, unknown>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
])
const number = /^[+-]?(?:\d+(?:_\d+)*)?(?:\.\d*)?(?:[eE][+-]?\d+)?$/
const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0' }

/**
 * Reads one value as JSON, JSON5 or Python writes it: either quote, keys without quotes, comments, trailing commas,
 * tuples, `True` and `None`. One pass; 100 levels deep.
 *
 * @param bareText whether a value may be words without quotes, as in `{path: a//b}`.
 * @returns nothing where no value can be read.
 */
export function readLiteral(text: string, start: number, bareText = false): ReadValue | undefined {
  const reader = new LiteralReader(text, bareText)
  reader.at = start
  const value = reader.value(0)
  return reader.failed ? undefined : { value, end: reader.at, unclosed: reader.unclosed }
}

class LiteralReader {
  at = 0
  failed = false
  unclosed = false
  readonly text: string
  readonly bareText: boolean

  constructor(text: string, bareText: boolean) {
    this.text = text
    this.bareText = bareText
  }

  value(depth: number): unknown {
    this.skipBlanks()
    const letter = this.text[this.at]
    if (letter === undefined || depth > deepest) return this.fail()
    if (letter === '"' || letter === "'") return this.string(letter)
    if (letter === '{') return this.object(depth)
    if (letter === '[') return this.list(']', depth)
    if (letter === '(') return this.list(')', depth)
    return this.word()
  }

  private object(depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = []
    this.at++
    while (!this.failed) {
      this.skipBlanks()
      const letter = this.text[this.at]
      if (letter === undefined) {
        this.unclosed = true
        break
      }
      this.at++
      if (letter === '}') break
      if (letter === ',') continue
      this.at--
      const key = this.key()
      this.skipBlanks()
      if (key === undefined || this.text[this.at] !== ':') {
        this.fail()
        break
      }
      this.at++
      entries.push([key, this.value(depth + 1)])
      this.expectSeparator('}')
    }
    // fromEntries makes `__proto__` an ordinary key, which is then seen and refused.
    return Object.fromEntries(entries)
  }

  private list(closer: string, depth: number): unknown[] {
    const items: unknown[] = []
    this.at++
    while (!this.failed) {
      this.skipBlanks()
      const letter = this.text[this.at]
      if (letter === undefined) {
        this.unclosed = true
        break
      }
      if (letter === closer) {
        this.at++
        break
      }
      if (letter === ',') {
        this.at++
        continue
      }
      items.push(this.value(depth + 1))
      this.expectSeparator(closer)
    }
    return items
  }

  private expectSeparator(closer: string): void {
    if (this.failed) return
    this.skipBlanks()
    const letter = this.text[this.at]
    if (letter !== undefined && letter !== ',' && letter !== closer) this.fail()
  }

  private key(): string | undefined {
    const quote = this.text[this.at]
    if (quote === '"' || quote === "'") return this.string(quote)
    const from = this.at
    while (/[\w$.-]/.test(this.text[this.at] ?? '')) this.at++
    return this.at === from ? undefined : this.text.slice(from, this.at)
  }

  private string(quote: string): string {
    const tripled = this.text.startsWith(quote.repeat(3), this.at)
    const closer = tripled ? quote.repeat(3) : quote
    this.at += closer.length
    let value = ''
    let kept = this.at
    while (this.at < this.text.length) {
      if (this.text[this.at] === '\\') {
        value += this.text.slice(kept, this.at)
        value += this.escape()
        kept = this.at
      } else if (this.text.startsWith(closer, this.at)) {
        value += this.text.slice(kept, this.at)
        this.at += closer.length
        return value
      } else this.at++
    }
    this.unclosed = true
    this.fail()
    return value
  }

  private escape(): string {
    const letter = this.text[this.at + 1] ?? ''
    const width = letter === 'u' ? 4 : letter === 'x' ? 2 : 0
    const hex = this.text.slice(this.at + 2, this.at + 2 + width)
    if (width > 0 && hex.length === width && /^[0-9a-fA-F]+$/.test(hex)) {
      this.at += 2 + width
      return String.fromCharCode(Number.parseInt(hex, 16))
    }
    this.at += 2
    return escapes[letter] ?? letter
  }

  private word(): unknown {
    const from = this.at
    while (this.at < this.text.length && !this.endsWord()) this.at++
    const word = this.text.slice(from, this.at).trimEnd()
    if (word === '') return this.fail()
    if (words.has(word)) return words.get(word)
    if (/\d/.test(word) && number.test(word)) return Number(word.replaceAll('_', ''))
    return this.bareText ? word : this.fail()
  }

  private endsWord(): boolean {
    const letter = this.text[this.at] ?? ''
    if (',}])\n'.includes(letter)) return true
    // `1// one` is a number and a comment, `a//b` is a path.
    return letter === '/' && this.startsComment() && !/[a-zA-Z:]/.test(this.text[this.at - 1] ?? '')
  }

  private startsComment(): boolean {
    const next = this.text[this.at + 1]
    return this.text[this.at] === '/' && (next === '/' || next === '*')
  }

  private skipBlanks(): void {
    for (;;) {
      while (/\s/.test(this.text[this.at] ?? '')) this.at++
      if (!this.startsComment()) return
      const block = this.text[this.at + 1] === '*'
      let end = this.at + 2
      if (block) end = this.text.indexOf('*/', end)
      else while (end < this.text.length && this.text[end] !== '\n' && this.text[end] !== '\r') end++
      this.at = end === -1 ? this.text.length : block ? end + 2 : end
    }
  }

  private fail(): undefined {
    this.failed = true
    return undefined
  }
}
