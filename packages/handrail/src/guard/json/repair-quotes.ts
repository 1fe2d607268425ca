const afterValue = /\s*(?:,\s*"(?:[^"\\]|\\.){1,100}"\s*:|([}\]]))/y
const nextKey = /,\s*"(?:[^"\\]|\\.){1,100}"\s*:/y
const afterClosers = /\s*(?:,|$)/y

/**
 * Escapes quotes that were left unescaped inside string values: `"He said "hello" to me"`. Keys must be quoted as JSON
 * has it. A quote ends a value when what follows can only be structure and the quotes inside it are in pairs.
 *
 * @returns the text with these quotes escaped; nothing when it can be read in more than one way.
 */
export function repairQuotes(json: string): string | undefined {
  const open: string[] = []
  let repaired = ''
  let kept = 0
  let at = 0
  let expectsKey = false
  while (at < json.length) {
    const letter = json[at]
    if (letter === '{' || letter === '[') {
      open.push(letter)
      expectsKey = letter === '{'
      at++
    } else if (letter === '}' || letter === ']') {
      open.pop()
      expectsKey = false
      at++
    } else if (letter === ',') {
      expectsKey = open.at(-1) === '{'
      at++
    } else if (letter === ':') {
      expectsKey = false
      at++
    } else if (letter !== '"') {
      // An unquoted key is another dialect; guessing in two dialects at once is guessing too much.
      if (expectsKey && !/\s/.test(letter ?? '')) return undefined
      at++
    } else if (expectsKey) {
      const end = json.indexOf('"', at + 1)
      if (end === -1) return undefined
      at = end + 1
      expectsKey = false
    } else {
      const inner: number[] = []
      const end = endOfValue(json, at + 1, open, inner)
      if (end === undefined) return undefined
      for (const quote of inner) {
        repaired += `${json.slice(kept, quote)}\\`
        kept = quote
      }
      at = end + 1
    }
  }
  return kept === 0 ? undefined : repaired + json.slice(kept)
}

function endOfValue(json: string, from: number, open: readonly string[], inner: number[]): number | undefined {
  for (let at = from; at < json.length; at++) {
    if (json[at] === '\\') at++
    else if (json[at] === '"') {
      if (endsValue(json, at + 1, open)) return isPaired(json, inner) ? at : undefined
      if (looksLikeNextKey(json, at)) return undefined
      inner.push(at)
      if (inner.length > 1_000) return undefined
    }
  }
  return undefined
}

/** Quotes come in pairs; the sign for inches (`5" tall`) does not count. */
function isPaired(json: string, quotes: readonly number[]): boolean {
  return quotes.filter((quote) => !/^\d"[\s.;)]/.test(json.slice(quote - 1, quote + 2))).length % 2 === 0
}

function endsValue(json: string, at: number, open: readonly string[]): boolean {
  if (open.at(-1) === '[') return /^\s*[,\]]/.test(json.slice(at, at + 50))
  afterValue.lastIndex = at
  const match = afterValue.exec(json)
  if (match === null) return false
  if (match[1] === undefined) return true
  // A bracket: everything that is open must close in order, up to a comma or the end.
  let index = at
  for (let depth = open.length - 1; depth >= 0; depth--) {
    while (/\s/.test(json[index] ?? '')) index++
    const closer = open[depth] === '{' ? '}' : ']'
    if (json[index] !== closer) return depth < open.length - 1 && json[index] === ','
    index++
  }
  afterClosers.lastIndex = index
  return afterClosers.test(json)
}

/** `,"key":` inside a value may be the next key after a lost quote: two readings. */
function looksLikeNextKey(json: string, quote: number): boolean {
  let comma = quote - 1
  while (comma >= 0 && quote - comma < 50 && /\s/.test(json[comma] ?? '')) comma--
  if (json[comma] !== ',') return false
  nextKey.lastIndex = comma
  return nextKey.test(json)
}
