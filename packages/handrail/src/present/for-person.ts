import { type JsonValue, toJsonValue } from './json-value.ts'

/** CSI, OSC and other string sequences, and two-character escapes (ECMA-48), with their 8-bit forms. */
const escapeSequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]?|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])(?:[^\u0007\u001b\u009c\n]{0,4096}(?:\u0007|\u001b\\|\u009c))?|\u001b[ -/]{0,8}[0-~]?/g
/**
 * Characters that show nothing or change what is shown: controls (but tab and line feed), bidirectional marks and
 * overrides, zero-width and other invisible ones, variation selectors beyond the emoji one, tags, noncharacters.
 */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff]|\u034f|[\u180b-\u180d]|\u180f|[\ufe00-\ufe0e]|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu
/** Joiners are needed within emoji and in scripts such as Persian and Hindi; elsewhere they hide. */
const joinerInPlace = /[\p{Extended_Pictographic}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{M}]/u

/**
 * Makes visible in a text what a reader could not see, or could see wrongly: each such character becomes its code, and
 * terminal escapes are taken out.
 *
 * @example visible('pay\u202eexe.pdf') // 'pay⟨U+202E⟩exe.pdf'
 */
export function visible(text: string): string {
  return replaceHidden(text.replace(escapeSequences, ''), (character) => {
    const code = character.codePointAt(0) ?? 0
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}

/** Takes hidden characters and terminal escapes out. */
export function withoutHidden(text: string): string {
  return replaceHidden(text.replace(escapeSequences, ''), () => '')
}

/** A value as a person may see it on a card: every text and every field name with nothing hidden in it. */
export function forPerson(value: unknown): JsonValue {
  return toJsonValue(value, { text: visible, key: visible })
}

/**
 * A text as one line for terminals and logs: no escapes, no hidden characters, no line breaks that could forge a line.
 *
 * @example plainText('done\r\n\u001b[31m2026-01-01 INFO paid\u001b[0m') // 'done 2026-01-01 INFO paid'
 */
export function plainText(text: string): string {
  return visible(text.replace(/[\r\n\t\v\f\u0085\u2028\u2029]+/g, ' '))
}

/**
 * One cell of a CSV file (RFC 4180): quoted where needed, and with `'` before what a spreadsheet would take for a
 * formula. Numbers stay numbers.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  const text = typeof value === 'string' ? value : JSON.stringify(toJsonValue(value))
  const isFormula = /^[\s'"]*[=+\-@\uff0b\uff0d\uff1d\uff20\t\r]/.test(text) && !/^[+-]?\d+(?:\.\d+)?$/.test(text)
  const safe = visible(isFormula ? `'${text}` : text)
  return /[",;\n\t']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function replaceHidden(text: string, replacement: (character: string) => string): string {
  return text.replace(hidden, (character, offset: number) => {
    if ((character === '\u200d' || character === '\u200c') && isBetweenJoined(text, offset)) return character
    return replacement(character)
  })
}

function isBetweenJoined(text: string, offset: number): boolean {
  const before = [...text.slice(Math.max(0, offset - 2), offset)].at(-1) ?? ''
  const after = [...text.slice(offset + 1, offset + 3)].at(0) ?? ''
  return joinerInPlace.test(before) && joinerInPlace.test(after)
}
