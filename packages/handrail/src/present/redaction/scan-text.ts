/** What a text could hold, found in one cheap pass: most texts hold nothing and need no search at all. */
export const traits = {
  at: 1,
  /** Has one of `:` and `=`. */
  pair: 8,
  percent: 16,
  /** Seven digits or more. */
  digits: 32,
  /** An unbroken run of ten or more letters, digits, `-`, `_`, `+`, `/`: the shortest credential in base64. */
  word: 64,
  /** The same of sixteen or more: the shortest key. */
  token: 256,
  /** Full-width characters that a reader takes for ASCII. */
  fullWidth: 128,
} as const

const digit = 2
const tokenCharacter = 4
const fullWidthAt = 0xff20
const smallAt = 0xfe6b

const classes = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code)
  if (character === '@') classes[code] = traits.at
  else if (character === '%') classes[code] = traits.percent
  else if (character === ':' || character === '=') classes[code] = traits.pair
  else if (/\d/.test(character)) classes[code] = digit | tokenCharacter
  else if (/[A-Za-z_+/-]/.test(character)) classes[code] = tokenCharacter
}

/** The traits of a text as bits. About a nanosecond per character. */
export function scanText(text: string): number {
  let found = 0
  let digits = 0
  let run = 0
  let longest = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 127) {
      if (code === fullWidthAt || code === smallAt) found |= traits.at
      if (code >= 0xff01 && code <= 0xff5e) found |= traits.fullWidth
      run = 0
      continue
    }
    const kind = classes[code] ?? 0
    found |= kind
    if (kind & digit) digits++
    if (kind & tokenCharacter) {
      if (++run > longest) longest = run
    } else run = 0
  }
  if (digits >= 7) found |= traits.digits
  if (longest >= 10) found |= traits.word
  if (longest >= 16) found |= traits.token
  return found & ~(digit | tokenCharacter)
}
