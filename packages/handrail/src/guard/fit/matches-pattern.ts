/** A repeated group with a repetition inside: time may grow exponentially with the length of the key. */
const mayExplode = /\((?:[^()\\]|\\.)*[*+}](?:[^()\\]|\\.)*\)[*+{]/
const longestSafe = 16

/**
 * Whether a property's name matches a pattern of `patternProperties`. The name comes from the model: where the pattern
 * could take exponential time and the name is long, it counts as a match.
 */
export function matchesPattern(name: string, pattern: string): boolean {
  if (name.length > longestSafe && mayExplode.test(pattern)) return true
  try {
    return new RegExp(pattern, 'u').test(name.slice(0, 1_000))
  } catch {
    return false
  }
}
