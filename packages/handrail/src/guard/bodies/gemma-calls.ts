import type { CallDraft } from './call-draft.ts'

const head = /\s*,?\s*call:([\w.:/-]+)\s*(?=\{)/y
const quotes = ['<|"|>', '<escape>']
const deepest = 50

/**
 * Gemma 4 and functiongemma: `call:get_page{id:<|"|>7<|"|>,depth:2}`, one after the other.
 *
 * @returns nothing if anything else stands there.
 */
export function gemmaCalls(text: string): CallDraft[] | undefined {
  const drafts: CallDraft[] = []
  let at = 0
  while (text.slice(at).trim() !== '') {
    head.lastIndex = at
    const name = head.exec(text)?.[1]
    if (name === undefined) return undefined
    const reader = new GemmaReader(text, head.lastIndex)
    const value = reader.value(0)
    if (reader.failed) return undefined
    drafts.push({ name, arguments: { kind: 'values', value }, certainty: 'clean' })
    at = reader.at
  }
  return drafts.length === 0 ? undefined : drafts
}

class GemmaReader {
  at: number
  failed = false
  readonly text: string

  constructor(text: string, at: number) {
    this.text = text
    this.at = at
  }

  value(depth: number): unknown {
    this.skipBlanks()
    const letter = this.text[this.at]
    if (letter === undefined || depth > deepest) return this.fail()
    const quote = this.quote()
    if (quote !== undefined) return this.quoted(quote)
    if (letter === '{') return this.object(depth)
    if (letter === '[') return this.list(depth)
    const from = this.at
    while (this.at < this.text.length && !',}]'.includes(this.text[this.at] ?? '')) this.at++
    return plain(this.text.slice(from, this.at).trim())
  }

  private object(depth: number): unknown {
    const entries: [string, unknown][] = []
    this.at++
    for (;;) {
      this.skipBlanks()
      if (this.text[this.at] === '}') break
      if (this.text[this.at] === ',') {
        this.at++
        continue
      }
      const key = this.key()
      if (key === undefined || this.text[this.at] !== ':') return this.fail()
      this.at++
      entries.push([key, this.value(depth + 1)])
      this.skipBlanks()
      if (this.failed || !',}'.includes(this.text[this.at] ?? ' ')) return this.fail()
    }
    this.at++
    return Object.fromEntries(entries)
  }

  private list(depth: number): unknown {
    const items: unknown[] = []
    this.at++
    for (;;) {
      this.skipBlanks()
      if (this.text[this.at] === ']') break
      if (this.text[this.at] === ',') {
        this.at++
        continue
      }
      items.push(this.value(depth + 1))
      this.skipBlanks()
      if (this.failed || !',]'.includes(this.text[this.at] ?? ' ')) return this.fail()
    }
    this.at++
    return items
  }

  private key(): string | undefined {
    const quote = this.quote()
    if (quote !== undefined) {
      const key = this.quoted(quote)
      this.skipBlanks()
      return typeof key === 'string' ? key : undefined
    }
    const from = this.at
    while (/[^:,{}[\]]/.test(this.text[this.at] ?? ',')) this.at++
    const key = this.text.slice(from, this.at).trim()
    return key === '' ? undefined : key.replace(/^["'](.*)["']$/, '$1')
  }

  private quote(): string | undefined {
    const marked = quotes.find((candidate) => this.text.startsWith(candidate, this.at))
    return marked ?? (this.text[this.at] === '"' ? '"' : undefined)
  }

  private quoted(quote: string): unknown {
    const from = this.at + quote.length
    const end = this.text.indexOf(quote, from)
    if (end === -1) return this.fail()
    this.at = end + quote.length
    return this.text.slice(from, end)
  }

  private skipBlanks(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++
  }

  private fail(): undefined {
    this.failed = true
    return undefined
  }
}

function plain(word: string): unknown {
  try {
    return JSON.parse(word)
  } catch {
    return word
  }
}
