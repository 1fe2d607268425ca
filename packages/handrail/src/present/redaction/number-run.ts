/** Digits with separators between them, as people write telephone and card numbers. */
export interface NumberRun {
  /** Where it begins, a leading `+` or `(` included. */
  start: number
  plus: boolean
  groups: DigitGroup[]
}

export interface DigitGroup {
  start: number
  end: number
  digits: string
  /** What stood before this group, empty for the first. */
  separator: string
}

const separators = ' ()./-\u00a0\u2009\u202f'
const longestSeparator = 3

/** Splits a text into runs of digits. A `+` begins a new run; every character is looked at a bounded number of times. */
export function* numberRuns(text: string): Generator<NumberRun> {
  let index = 0
  while (index < text.length) {
    if (!isDigit(text, index)) {
      index++
      continue
    }
    const run = readRun(text, index)
    yield run
    index = run.groups.at(-1)?.end ?? index + 1
  }
}

function readRun(text: string, firstDigit: number): NumberRun {
  const groups: DigitGroup[] = []
  let position = firstDigit
  let separator = ''
  for (;;) {
    let end = position
    while (isDigit(text, end)) end++
    groups.push({ start: position, end, digits: text.slice(position, end), separator })
    let next = end
    while (next < text.length && next - end < longestSeparator && separators.includes(text.charAt(next))) next++
    if (next === end || !isDigit(text, next)) break
    separator = text.slice(end, next)
    position = next
  }
  let start = firstDigit
  if (text[start - 1] === '(') start--
  const plus = text[start - 1] === '+'
  if (plus) {
    start--
    if (text[start - 1] === '(') start--
  }
  return { start, plus, groups }
}

export function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 48 && code <= 57
}
