import type { Field } from './fields.ts'
import { isOpaque, type Token } from './tokenise.ts'
import { frameWords, moodWords, orderVerbs, pronouns, readNumber, vagueWords } from './vocabulary.ts'

/** What an argument was filled with: a value, or names and pronouns that a look-up turns into ids. */
export type SlotValue =
  /** `isPlain`: words of the sentence itself, not in quotes. */
  { kind: 'value'; value: unknown; isPlain?: boolean } | { kind: 'reference'; names: readonly Name[]; isList: boolean }

/** A thing as a person named it. `pronoun`: *it*, the last thing spoken of. */
export type Name = { kind: 'name'; text: string; isQuoted: boolean } | { kind: 'pronoun' }

const longestName = 8
const longestText = 80

/** How many words a value of this field can have at most. */
export function longestSlot(field: Field): number {
  if (field.kind === 'choice' || field.kind === 'number' || field.kind === 'boolean') return 3
  if (field.kind === 'word') return 1
  return field.kind === 'name' || field.kind === 'reference' ? longestName + 1 : longestText
}

/**
 * Reads a run of words as a value of the field. Undefined when it cannot be one: a word that questions, negates, orders
 * or quantifies makes an unquoted value unreadable, so that no half of a sentence ends up as a name.
 */
export function readSlot(field: Field, tokens: readonly Token[]): SlotValue | undefined {
  switch (field.kind) {
    case 'choice':
      return readChoice(field, tokens)
    case 'number': {
      const number = tokens.length === 1 ? readNumber(tokens[0]?.lower ?? '') : undefined
      return number === undefined ? undefined : { kind: 'value', value: number }
    }
    case 'boolean':
      return readBoolean(tokens)
    case 'reference': {
      const name = readName(tokens)
      return name && { kind: 'reference', names: [name], isList: false }
    }
    case 'references': {
      const names = splitList(tokens)?.map(readName)
      return names?.every((name) => name !== undefined) ? { kind: 'reference', names, isList: true } : undefined
    }
    case 'words': {
      const words = splitList(tokens)?.map((part) => readShort(part))
      return words?.every((word) => word !== undefined) ? { kind: 'value', value: words } : undefined
    }
    case 'word':
    case 'name': {
      const text = readShort(tokens)
      return text === undefined ? undefined : { kind: 'value', value: text, isPlain: !tokens.some(isOpaque) }
    }
    case 'text': {
      const text = readText(tokens)
      return text === undefined ? undefined : { kind: 'value', value: text }
    }
  }
}

/** The words as they were written, spaces made single. */
export function textOf(tokens: readonly Token[]): string {
  return tokens.reduce((text, token) => {
    const isAttached = token.text === "'s" || /^[,;.!?:%)]$/.test(token.text)
    return text === '' || isAttached || text.endsWith('(') ? text + token.text : `${text} ${token.text}`
  }, '')
}

/** Splits *combat, loot and stealth* at its separators. Undefined when a place between them is empty. */
export function splitList(tokens: readonly Token[]): Token[][] | undefined {
  const parts: Token[][] = [[]]
  for (const [index, token] of tokens.entries()) {
    if (!isSeparator(token)) parts[parts.length - 1]?.push(token)
    else if (!(isSeparator(tokens[index - 1]) && token.kind === 'word')) parts.push([])
  }
  return parts.every((part) => part.length > 0) ? parts : undefined
}

export function isSeparator(token: Token | undefined): boolean {
  if (!token) return false
  return token.kind === 'mark'
    ? /^[,;&+\n]$/.test(token.text)
    : token.kind === 'word' && /^(and|und|plus)$/.test(token.lower)
}

function readChoice(field: Field, tokens: readonly Token[]): SlotValue | undefined {
  const said = tokens.map((token) => token.lower).join(' ')
  const choice = field.choices.find(({ words }) => words.some((word) => word.toLowerCase() === said))
  return choice && { kind: 'value', value: choice.value }
}

function readBoolean(tokens: readonly Token[]): SlotValue | undefined {
  const said = tokens.map((token) => token.lower).join(' ')
  if (/^(true|yes|on|ja|wahr)$/.test(said)) return { kind: 'value', value: true }
  return /^(false|no|off|nein|falsch)$/.test(said) ? { kind: 'value', value: false } : undefined
}

/** A thing's name: quoted, or up to eight plain words that are none of the sentence's frame. */
function readName(written: readonly Token[]): Name | undefined {
  const tokens = withoutArticle(written)
  const [first] = tokens
  if (!first || tokens.length > longestName) return undefined
  if (tokens.length === 1 && first.kind === 'quoted') return { kind: 'name', text: first.text, isQuoted: true }
  if (tokens.length === 1 && pronouns.has(first.lower)) return { kind: 'pronoun' }
  const isPlain = tokens.every(
    (token, index) => isPlainNameWord(token) || (token.lower === 'the' && tokens[index - 1]?.lower === 'of'),
  )
  return isPlain ? { kind: 'name', text: textOf(tokens), isQuoted: false } : undefined
}

function withoutArticle(tokens: readonly Token[]): readonly Token[] {
  const isArticle = /^(the|our|my|der|die|das|den|dem)$/.test(tokens[0]?.lower ?? '') && tokens[0]?.kind === 'word'
  return isArticle ? tokens.slice(1) : tokens
}

function isPlainNameWord(token: Token): boolean {
  if (token.kind === 'mark') return /^[&+]$/.test(token.text)
  return token.kind === 'word' && !isStructural(token.lower)
}

function isStructural(word: string): boolean {
  return word === 'the' || moodWords.has(word) || vagueWords.has(word) || (frameWords.has(word) && word !== 'as')
}

/** One line: quoted, or plain words without any word that frames a sentence. */
function readShort(tokens: readonly Token[]): string | undefined {
  const [first] = tokens
  if (!first) return undefined
  if (tokens.length === 1 && isOpaque(first)) return first.kind === 'tail' ? readTailName(first.text) : first.text
  if (tokens.length > longestName || !tokens.every(isPlainNameWord)) return undefined
  return textOf(tokens)
}

/** Text behind a colon as a name: only when it could be nothing else. */
function readTailName(text: string): string | undefined {
  if (text.includes('\n') || /[,;:.!?]/.test(text)) return undefined
  const words = text.split(/\s+/)
  return words.length <= longestName && !words.some((word) => isStructural(word.toLowerCase())) ? text : undefined
}

/** Long text: quoted, behind a colon, or words without anything that could begin another order. */
function readText(tokens: readonly Token[]): string | undefined {
  const [first] = tokens
  if (!first) return undefined
  if (tokens.length === 1 && isOpaque(first)) return first.text
  const isReadable = tokens.every((token, index) => {
    if (isOpaque(token) || moodWords.has(token.lower) || vagueWords.has(token.lower)) return false
    if (token.kind === 'mark') return /^[&+%]$/.test(token.text)
    if (!isSeparator(token)) return token.lower !== 'then' && token.lower !== 'dann'
    const next = tokens[index + 1]?.lower ?? ''
    return next !== '' && !orderVerbs.has(next) && !/^(a|an|the|then|also|its|set|ein|eine)$/.test(next)
  })
  return isReadable && !/^(to|as|of|=|:|is)$/.test(first.lower) ? textOf(tokens) : undefined
}
