import { placeholders } from './placeholders.ts'
import type { Span } from './span.ts'

/** Lengths of the IBAN registry (SWIFT, ISO 13616). */
const lengths: ReadonlyMap<string, number> = new Map(
  Object.entries({
    AD: 24,
    AE: 23,
    AL: 28,
    AT: 20,
    AZ: 28,
    BA: 20,
    BE: 16,
    BG: 22,
    BH: 22,
    BR: 29,
    BY: 28,
    CH: 21,
    CR: 22,
    CY: 28,
    CZ: 24,
    DE: 22,
    DK: 18,
    DO: 28,
    EE: 20,
    EG: 29,
    ES: 24,
    FI: 18,
    FO: 18,
    FR: 27,
    GB: 22,
    GE: 22,
    GI: 23,
    GL: 18,
    GR: 27,
    GT: 28,
    HR: 21,
    HU: 28,
    IE: 22,
    IL: 23,
    IQ: 23,
    IS: 26,
    IT: 27,
    JO: 30,
    KW: 30,
    KZ: 20,
    LB: 28,
    LC: 32,
    LI: 21,
    LT: 20,
    LU: 20,
    LV: 21,
    LY: 25,
    MC: 27,
    MD: 24,
    ME: 22,
    MK: 19,
    MR: 27,
    MT: 31,
    MU: 30,
    NL: 18,
    NO: 15,
    PK: 24,
    PL: 28,
    PS: 29,
    PT: 25,
    QA: 29,
    RO: 24,
    RS: 22,
    SA: 24,
    SC: 31,
    SE: 24,
    SI: 19,
    SK: 24,
    SM: 27,
    ST: 25,
    SV: 28,
    TL: 23,
    TN: 24,
    TR: 26,
    UA: 29,
    VA: 22,
    VG: 24,
    XK: 20,
  }),
)
const head = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}/g
const separators = ' \u00a0\u2009\u202f-'

/** Finds IBANs, in groups or in one piece, whose check digits are right. */
export function findIbans(text: string): Span[] {
  const spans: Span[] = []
  for (const match of text.matchAll(head)) {
    const length = lengths.get(match[0].slice(0, 2).toUpperCase())
    if (length === undefined) continue
    const end = ibanEnd(text, match.index, length)
    if (end !== undefined) spans.push({ start: match.index, end, placeholder: placeholders.iban })
  }
  return spans
}

function ibanEnd(text: string, start: number, length: number): number | undefined {
  let iban = ''
  let index = start
  while (iban.length < length && index < text.length) {
    if (separators.includes(text.charAt(index)) && isAlphanumeric(text, index + 1)) index++
    if (!isAlphanumeric(text, index)) return undefined
    iban += text.charAt(index)
    index++
  }
  if (iban.length < length || isAlphanumeric(text, index)) return undefined
  return hasValidCheckDigits(iban.toUpperCase()) ? index : undefined
}

/** ISO 7064 mod 97-10: the first four characters go last, letters count as 10 to 35, the remainder is 1. */
function hasValidCheckDigits(iban: string): boolean {
  let remainder = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder === 1
}

function isAlphanumeric(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}
