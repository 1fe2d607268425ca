import {
  confirmationWords,
  friendlyEmoji,
  type LanguageWords,
  noEmoji,
  type PhraseKind,
  yesEmoji,
} from './confirmation-words.ts'

/** Longer than any yes or no in the lists with its courtesies. */
const longestReply = 80
const mostPhrases = 5
const mostWordsInPhrase = 5
/**
 * Letters of both languages, blanks, and the signs that may stand between and after words. Everything else is `other`.
 * Tested before normalising, which would turn look-alikes (the Kelvin sign, the Greek question mark) into plain signs.
 */
const plainReply = /^(?:[AOUaou]\u0308|[A-Za-zÄÖÜäöüß'’,.!;\u2013\u2014 \t\r\n\u00a0-])*$/
const emoji = new RegExp(
  `(${[...yesEmoji, ...noEmoji, ...friendlyEmoji].join('|')})[\\u{1f3fb}-\\u{1f3ff}]?\\ufe0f?`,
  'gu',
)
const hesitation = /\.{2}/

const kinds: readonly PhraseKind[] = ['yes', 'ok', 'no', 'stop', 'negation', 'please', 'thanks']

type Phrases = ReadonlyMap<string, PhraseKind>

const phrases: Record<'en' | 'de', Phrases> = { en: collect('en'), de: collect('de') }

/**
 * Reads a person's whole message as a yes or a no. Only what is in the closed lists counts, in either language; the
 * pack's language adds a few short words. A question, a condition, a change of mind, a quotation, a yes to something
 * else, anything longer or in other letters is `other`, and `other` decides nothing.
 *
 * @param text the person's own message, exactly as it was sent
 * @example
 * readConfirmation('Ja, bitte!', 'de') // 'yes'
 * readConfirmation('yes, but keep the old one', 'en') // 'other'
 */
export function readConfirmation(text: string, language: 'en' | 'de'): 'yes' | 'no' | 'other' {
  if (text.length > longestReply) return 'other'
  const signs: string[] = []
  const words = text.replace(emoji, (_, sign: string) => {
    signs.push(sign)
    return ' '
  })
  if (!plainReply.test(words) || hesitation.test(words)) return 'other'
  const found = readPhrases(words, phrases[language])
  if (found === undefined) return 'other'
  const said = meaningOf(found)
  const shown = meaningOfSigns(signs)
  if (said === undefined) return shown ?? 'other'
  return shown === undefined || shown === said ? said : 'other'
}

/** The phrases that a reply consists of, longest first; undefined when there is a word that is in none. */
function readPhrases(text: string, known: Phrases): PhraseKind[] | undefined {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/(?<=\S)\s+-+\s+/g, ' ')
    .split(/[\s,.!;\u2013\u2014]+/)
    .filter((word) => word !== '')
  const found: PhraseKind[] = []
  let position = 0
  while (position < words.length) {
    let length = Math.min(mostWordsInPhrase, words.length - position)
    while (length > 0 && !known.has(words.slice(position, position + length).join(' '))) length--
    const kind = known.get(words.slice(position, position + length).join(' '))
    if (kind === undefined) return undefined
    found.push(kind)
    position += length
  }
  return found
}

/** Undefined when nothing was said, `other` when what was said does not go together. */
function meaningOf(found: readonly PhraseKind[]): 'yes' | 'no' | 'other' | undefined {
  if (found.length === 0) return undefined
  if (found.length > mostPhrases) return 'other'
  const said = found.filter((kind) => kind !== 'please' && kind !== 'thanks')
  if (said.length === 0) return 'other'
  if (said.every((kind) => kind === 'yes' || kind === 'ok')) {
    // `ok, thanks` says that the message was read.
    return found.includes('thanks') && !said.includes('yes') ? 'other' : 'yes'
  }
  // `don't stop` is no no: a negation may follow a no, and nothing may follow it.
  const [last] = said.slice(-1)
  const before = said.slice(0, -1)
  if (last === 'negation') return before.every((kind) => kind === 'no') ? 'no' : 'other'
  return said.every((kind) => kind === 'no' || kind === 'stop') ? 'no' : 'other'
}

function meaningOfSigns(signs: readonly string[]): 'yes' | 'no' | 'other' | undefined {
  const meant = signs.filter((sign) => !friendlyEmoji.includes(sign))
  if (meant.length === 0) return undefined
  if (meant.every((sign) => yesEmoji.includes(sign))) return 'yes'
  return meant.every((sign) => noEmoji.includes(sign)) ? 'no' : 'other'
}

function collect(language: 'en' | 'de'): Phrases {
  const lists: readonly Partial<LanguageWords['everywhere']>[] = [
    confirmationWords.en.everywhere,
    confirmationWords.de.everywhere,
    confirmationWords[language].here,
  ]
  const known = new Map<string, PhraseKind>()
  for (const list of lists) {
    for (const kind of kinds) for (const phrase of list[kind] ?? []) known.set(phrase, kind)
  }
  return known
}
