/** Shorter texts occur by chance: every leak of literal matching in AgentDojo came from ids such as "13". */
const shortestTelling = 5

/**
 * True when every text in the arguments stands literally in what the person wrote themselves, so that the target of a
 * read is theirs and not an outsider's.
 *
 * @example
 * isNamedByPerson({ url: 'https://example.org/a' }, 'please read https://example.org/a') // true
 * isNamedByPerson({ id: '13' }, 'meet me on the 13th') // false: too short to tell
 */
export function isNamedByPerson(input: unknown, userText: string): boolean {
  const haystack = userText.normalize('NFKC').toLowerCase()
  const pending: unknown[] = [input]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value === 'object' && value !== null) pending.push(...Object.values(value))
    else if (typeof value === 'number' || typeof value === 'bigint') return false
    else if (typeof value === 'string') {
      const needle = value.normalize('NFKC').toLowerCase().trim()
      if (needle.length < shortestTelling || !haystack.includes(needle)) return false
    }
  }
  return true
}
