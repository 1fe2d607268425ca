import { type NumberRun, numberRuns } from './number-run.ts'
import { placeholders } from './placeholders.ts'
import type { Span } from './span.ts'

/** Issuer prefixes with the lengths in use (ISO/IEC 7812, the networks' published ranges). */
const issuers: readonly { prefix: RegExp; lengths: readonly number[] }[] = [
  { prefix: /^4/, lengths: [13, 16, 19] },
  { prefix: /^5[1-5]|^222[1-9]|^22[3-9]|^2[3-6]|^27[01]|^2720/, lengths: [16] },
  { prefix: /^3[47]/, lengths: [15] },
  { prefix: /^3(?:0[0-5]|095|[689])/, lengths: [14, 16, 19] },
  { prefix: /^35/, lengths: [16, 17, 18, 19] },
  { prefix: /^6(?:011|4[4-9]|5|0|2|8|3|7|9|1)/, lengths: [16, 17, 18, 19] },
  { prefix: /^5[0678]/, lengths: [16, 19] },
]

/** Finds card numbers of 13 to 19 digits whose check digit is right, in one piece or in groups. */
export function findCards(text: string): Span[] {
  const spans: Span[] = []
  for (const run of numberRuns(text)) {
    if (!run.plus) cardsOfRun(text, run, spans)
  }
  return spans
}

/** A number (not a text) that is a card number. */
export function isCardNumber(number: number): boolean {
  return number >= 1e12 && Number.isSafeInteger(number) && isCard(String(number))
}

function cardsOfRun(text: string, { groups }: NumberRun, spans: Span[]): void {
  for (let first = 0; first < groups.length; first++) {
    const start = groups[first]
    if (!start || isGlued(text, start.start, start.separator)) continue
    let digits = ''
    for (let last = first; last < groups.length; last++) {
      const group = groups[last]
      if (!group || (last > first && !isCardSeparator(group.separator))) break
      digits += group.digits
      if (digits.length > 19 || (group.digits.length < 3 && last + 1 - first > 1)) break
      if (digits.length >= 13 && !isWordCharacter(text[group.end]) && isCard(digits)) {
        spans.push({ start: start.start, end: group.end, placeholder: placeholders.card })
        first = last
        break
      }
    }
  }
}

/** Part of a longer word, amount, id or path: `x4111…`, `0.4111…`, `ab-4111…`. */
function isGlued(text: string, start: number, separator: string): boolean {
  if (separator !== '') return separator === '.' || !isCardSeparator(separator)
  const before = text[start - 1]
  return (
    isWordCharacter(before) ||
    ((before === '.' || before === ',' || before === '-') && isWordCharacter(text[start - 2]))
  )
}

function isCardSeparator(separator: string): boolean {
  return separator.length === 1 && separator !== '/' && separator !== '(' && separator !== ')'
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9_]/.test(character)
}

function isCard(digits: string): boolean {
  return (
    issuers.some(({ prefix, lengths }) => lengths.includes(digits.length) && prefix.test(digits)) &&
    hasValidCheckDigit(digits)
  )
}

/** Luhn (ISO/IEC 7812-1): every second digit from the right doubled, the cross sum divisible by ten. */
function hasValidCheckDigit(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48
    const doubled = digit * 2
    sum += index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
