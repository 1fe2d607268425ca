/**
 * Makes the strings of otherwise valid JSON valid: raw control characters become escapes, backslashes that escape
 * nothing are dropped. Text outside strings is left alone.
 *
 * @example
 * mendStrings('{"a":"1\n2","b":"it\\\'s"}')   // {"a":"1\\n2","b":"it's"}
 */
export function mendStrings(json: string): string {
  let mended = ''
  let kept = 0
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === 0x22) inString = !inString
    else if (!inString) continue
    else if (code === 0x5c) {
      const next = json[at + 1] ?? ''
      if (next !== '' && isEscape(json, at + 1)) at++
      else {
        mended += json.slice(kept, at)
        kept = at + 1
        // What the backslash stood before is now read as itself, a raw line break too.
        if (next === '\\' || next === '"') at++
      }
    } else if (code < 0x20) {
      mended += json.slice(kept, at) + escapeOf(code)
      kept = at + 1
    }
  }
  return kept === 0 ? json : mended + json.slice(kept)
}

function isEscape(json: string, at: number): boolean {
  const letter = json[at]
  if (letter === 'u') return /^[0-9a-fA-F]{4}$/.test(json.slice(at + 1, at + 5))
  return letter !== undefined && '"\\/bfnrt'.includes(letter)
}

function escapeOf(code: number): string {
  if (code === 0x0a) return '\\n'
  if (code === 0x0d) return '\\r'
  if (code === 0x09) return '\\t'
  return `\\u${code.toString(16).padStart(4, '0')}`
}
