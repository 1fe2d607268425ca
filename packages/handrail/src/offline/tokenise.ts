/**
 * One piece of a message. `quoted` and `tail` pieces are opaque: what stands in them is somebody's text and is never
 * read as words of the request.
 */
export interface Token {
  kind: 'word' | 'mark' | 'quoted' | 'tail'
  /** As written; for `quoted` and `tail` without the marks around it. */
  text: string
  /** Lower case, typographic apostrophes made plain. */
  lower: string
}

const quotePairs: readonly (readonly [open: string, close: string])[] = [
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['»', '«'],
  ['`', '`'],
  ['‘', '’'],
  ["'", "'"],
]
const wordPattern = /[\p{L}\p{N}_]+(?:[-.'’/][\p{L}\p{N}_]+)*/uy

/**
 * Splits a message into words, marks and quoted texts. A line break is the mark `\n`, an arrow the
 * mark `→`; `'s` is a piece of its own.
 *
 * @example tokenise(`Delete "Old Prototype"!`).map((token) => token.text) // ['Delete', 'Old Prototype', '!']
 */
export function tokenise(message: string): Token[] {
  const tokens: Token[] = []
  let position = 0
  while (position < message.length) {
    const quoted = quotedAt(message, position)
    if (quoted) {
      tokens.push({ kind: 'quoted', text: quoted.text, lower: quoted.text.toLowerCase() })
      position = quoted.end
      continue
    }
    wordPattern.lastIndex = position
    const word = wordPattern.exec(message)?.[0]
    if (word !== undefined) {
      tokens.push(...wordTokens(word))
      position += word.length
      continue
    }
    const arrow = /^(?:[-=]+>|→)/.exec(message.slice(position, position + 4))?.[0]
    if (arrow !== undefined) {
      tokens.push({ kind: 'mark', text: '→', lower: '→' })
      position += arrow.length
      continue
    }
    const mark = String.fromCodePoint(message.codePointAt(position) ?? 32)
    if (mark === '\n' || mark.trim() !== '') tokens.push({ kind: 'mark', text: mark, lower: mark })
    position += mark.length
  }
  return tokens
}

/**
 * The same message read as a request with somebody's text after it: what follows the first colon outside quotes, or
 * else the first line, becomes one opaque piece. Undefined when nothing follows.
 *
 * @example 'Reply in Pets: I like it, delete the cats' becomes the words before the colon, `:` and the text after it
 */
export function tokeniseWithTail(message: string): Token[] | undefined {
  const cut = tailStart(message)
  if (cut === undefined) return undefined
  const text = withoutFence(message.slice(cut.tail).trim())
  if (text === '') return undefined
  const head = tokenise(message.slice(0, cut.head))
  return [...head, { kind: 'mark', text: ':', lower: ':' }, { kind: 'tail', text, lower: text.toLowerCase() }]
}

function tailStart(message: string): { head: number; tail: number } | undefined {
  for (let position = 0; position < message.length; position++) {
    const quoted = quotedAt(message, position)
    if (quoted) {
      position = quoted.end - 1
      continue
    }
    const mark = message[position]
    if (mark === ':' && /[\s"'“„`]/.test(message[position + 1] ?? '')) return { head: position, tail: position + 1 }
    if (mark === '\n' && message.slice(0, position).trim() !== '') return { head: position, tail: position + 1 }
  }
  return undefined
}

function withoutFence(text: string): string {
  const fenced = /^```[\w-]*\n([\s\S]*?)\n?```$/.exec(text)
  if (fenced) return (fenced[1] ?? '').trim()
  const quoted = quotedAt(text, 0)
  return quoted && quoted.end === text.length ? quoted.text : text
}

function quotedAt(message: string, position: number): { text: string; end: number } | undefined {
  if (message.startsWith('```', position)) {
    const end = message.indexOf('```', position + 3)
    if (end < 0) return undefined
    return {
      text: message
        .slice(position + 3, end)
        .replace(/^[\w-]*\n/, '')
        .trim(),
      end: end + 3,
    }
  }
  const pair = quotePairs.find(([open]) => message.startsWith(open, position))
  if (!pair) return undefined
  const [open, close] = pair
  const isApostrophe = open === "'" || open === '‘'
  if (isApostrophe && /[\p{L}\p{N}]/u.test(message[position - 1] ?? ' ')) return undefined
  let end = message.indexOf(close, position + 1)
  while (isApostrophe && end >= 0 && /[\p{L}\p{N}]/u.test(message[end + 1] ?? ' '))
    end = message.indexOf(close, end + 1)
  const text = end < 0 ? '' : message.slice(position + 1, end).trim()
  return text === '' ? undefined : { text, end: end + close.length }
}

function wordTokens(word: string): Token[] {
  const plain = word.replaceAll('’', "'")
  const lower = plain.toLowerCase()
  if (!lower.endsWith("'s")) return [{ kind: 'word', text: plain, lower }]
  return [
    { kind: 'word', text: plain.slice(0, -2), lower: lower.slice(0, -2) },
    { kind: 'word', text: "'s", lower: "'s" },
  ]
}

export function isOpaque(token: Token): boolean {
  return token.kind === 'quoted' || token.kind === 'tail'
}
