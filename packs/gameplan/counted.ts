/**
 * A number with its noun.
 *
 * @example counted(1, 'idea thread') // '1 idea thread'
 * @example counted(2, 'idea thread') // '2 idea threads'
 */
export function counted(count: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
  return `${count} ${count === 1 ? noun : plural}`
}
