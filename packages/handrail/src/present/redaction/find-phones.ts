import { type DigitGroup, type NumberRun, numberRuns } from './number-run.ts'
import { placeholders } from './placeholders.ts'
import type { Span } from './span.ts'

const label =
  /(?:(?<!\p{L})(?:tel|fon|fax|ruf|sms|handy|cell phone|call me at|call us at)|telefon|telephone|(?<!micro)phone|mobil|mobile|handynummer|telefax|rufnummer|hotline|whatsapp|durchwahl)[\w.]{0,6}[\s:=."'#]{0,4}\(?\+?$/iu
const labelReach = 28
const currencyAfter = /^\s?(?:[€$£¥%‰]|EUR\b|USD\b|GBP\b|CHF\b)/
/** Codes dialled as `00…` often enough to be meant when the number stands in one piece. */
const commonAfterZeros = /^00(?:1|3[0-469]|4[013-9]|5[15]|7|90|35[1-8]|37[0-2]|38[0-9]|42[01])\d/
const germanMobile = /^01[567]\d{8,9}$/
const dateLike = /^(?:\d{1,2}[./-]\d{1,2}[./-](?:\d{2}|\d{4})|\d{4}[./-]\d{1,2}[./-]\d{1,2})(?!\d)/

/**
 * Finds telephone numbers: international (`+49 …`, `0049 …`), German national (`030 1234567`, `0170/1234567`),
 * North American (`(555) 123-4567`), and any plausible number after a word such as `Tel.` or in a field of that name.
 * Ids, dates, versions, prices, UUIDs and times are left alone.
 *
 * @param isLabelled true when the field's name says that the text is a telephone number
 */
export function findPhones(text: string, isLabelled: boolean): Span[] {
  const spans: Span[] = []
  for (const run of numberRuns(text)) {
    for (const part of parts(run)) {
      if (isPhone(text, part, isLabelled || hasLabel(text, part.start))) {
        spans.push({ start: part.start, end: endOf(part), placeholder: placeholders.phone })
      }
    }
  }
  return spans
}

/** A run too long for one number is several numbers in a row: cut before groups that begin one. */
function parts(run: NumberRun): NumberRun[] {
  if (digitCount(run.groups) <= 15) return [run]
  const cut: NumberRun[] = []
  for (const group of run.groups) {
    const current = cut.at(-1)
    if (!current) cut.push({ start: run.start, plus: run.plus, groups: [group] })
    else if (/^0\d{2}/.test(group.digits)) cut.push({ start: group.start, plus: false, groups: [group] })
    else current.groups.push(group)
  }
  return cut
}

function isPhone(text: string, run: NumberRun, labelled: boolean): boolean {
  const count = digitCount(run.groups)
  if (count < 6 || count > 17 || isGluedBefore(text, run) || isGluedAfter(text, endOf(run))) return false
  const digits = run.groups.map((group) => group.digits).join('')
  const written = text.slice(run.groups[0]?.start, endOf(run))
  if (dateLike.test(written)) return false
  if (run.plus) return isInternational(digits, run.groups)
  if (currencyAfter.test(text.slice(endOf(run), endOf(run) + 6))) return false
  if (labelled) return true
  return (
    isDialledAbroad(digits, run.groups) ||
    isGermanNational(digits, run.groups, text[run.start] === '(') ||
    isNorthAmerican(run.groups, text[run.start] === '(')
  )
}

function isInternational(digits: string, groups: readonly DigitGroup[]): boolean {
  if (digits.startsWith('0') || digits.length < 8 || digits.length > 16) return false
  const isThousands = groups.length > 1 && groups.slice(1).every(({ digits: group }) => group.length === 3)
  return digits.length >= 10 || !isThousands
}

function isDialledAbroad(digits: string, groups: readonly DigitGroup[]): boolean {
  if (!commonAfterZeros.test(digits) || digits.length < 10) return false
  return groups.length > 1 ? groups.every(hasPhoneSeparator) : digits.length >= 12
}

function isGermanNational(digits: string, groups: readonly DigitGroup[], inParentheses: boolean): boolean {
  const [area, ...rest] = groups
  if (!area || !/^0[1-9]/.test(digits) || digits.length > 13) return false
  if (rest.length === 0) return germanMobile.test(digits)
  if (!/^0[1-9]\d{1,4}$/.test(area.digits) || !rest.every(hasPhoneSeparator)) return false
  // `0800-1200` is a span of hours.
  return digits.length >= (inParentheses ? 8 : 9)
}

function isNorthAmerican(groups: readonly DigitGroup[], inParentheses: boolean): boolean {
  const [area, exchange, line] = groups
  if (groups.length !== 3 || !area || !exchange || !line) return false
  if (!/^[2-9]\d{2}$/.test(area.digits) || !/^[2-9]\d{2}$/.test(exchange.digits) || line.digits.length !== 4)
    return false
  const outer = exchange.separator
  const inner = line.separator
  if (inParentheses) return /^\)[ -]?$/.test(outer) && (inner === '-' || inner === ' ' || inner === '.')
  return outer === inner && (inner === '-' || inner === '.')
}

/** Points separate the parts of dates, versions and prices, seldom those of a German number. */
function hasPhoneSeparator(group: DigitGroup): boolean {
  return !group.separator.includes('.')
}

function isGluedBefore(text: string, run: NumberRun): boolean {
  const first = run.groups[0]
  if (first && first.separator !== '' && first.start === run.start) return !/[ )/\u00a0]/.test(first.separator)
  const before = text[run.start - 1]
  if (before === undefined) return false
  if (/[\p{L}\d_#$€£]/u.test(before)) return true
  const beforeThat = text[run.start - 2]
  if (beforeThat === undefined) return false
  return (/[-,/]/.test(before) && /[\p{L}\d]/u.test(beforeThat)) || (/[.:]/.test(before) && /\d/.test(beforeThat))
}

function isGluedAfter(text: string, end: number): boolean {
  const after = text[end]
  if (after === undefined) return false
  if (/[\p{L}\d_]/u.test(after)) return true
  return /[,:.-]/.test(after) && /[\p{L}\d]/u.test(text[end + 1] ?? '')
}

function hasLabel(text: string, start: number): boolean {
  return label.test(text.slice(Math.max(0, start - labelReach), start))
}

function digitCount(groups: readonly DigitGroup[]): number {
  return groups.reduce((count, group) => count + group.digits.length, 0)
}

function endOf(run: NumberRun): number {
  return run.groups.at(-1)?.end ?? run.start
}
