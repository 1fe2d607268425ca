/** What makes an input unfit before any schema sees it. */
export type InputProblem =
  | { kind: 'too-large'; limit: number }
  | { kind: 'too-deep'; limit: number }
  | { kind: 'unsafe-key'; key: string }
  | { kind: 'not-json'; path: string }
  | { kind: 'control-text'; path: string }

export const inputDepth = 32
const unsafeKeys = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Looks through a value without recursion, so that ten thousand levels or a megabyte cost no more than the limit.
 * Refuses keys that reach prototypes, NUL, lone surrogates, and values that JSON does not have.
 *
 * @param limit bytes of JSON, counted conservatively
 */
export function inspectInput(value: unknown, limit: number): InputProblem | undefined {
  let bytes = 0
  const pending: { value: unknown; depth: number; path: string }[] = [{ value, depth: 0, path: '' }]
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { value: current, depth, path } = item
    if (depth > inputDepth) return { kind: 'too-deep', limit: inputDepth }
    if (typeof current === 'string') {
      bytes += current.length > limit ? current.length : Buffer.byteLength(current) + 2
      if (bytes > limit) return { kind: 'too-large', limit }
      if (current.includes('\u0000') || !current.isWellFormed()) return { kind: 'control-text', path }
    } else if (typeof current === 'object' && current !== null) {
      if (Array.isArray(current)) {
        bytes += current.length + 2
        if (bytes > limit) return { kind: 'too-large', limit }
        for (let index = current.length - 1; index >= 0; index--) {
          pending.push({ value: current[index], depth: depth + 1, path: `${path}[${index}]` })
        }
      } else {
        const prototype: unknown = Object.getPrototypeOf(current)
        if (prototype !== Object.prototype && prototype !== null) return { kind: 'not-json', path }
        for (const [key, child] of Object.entries(current)) {
          bytes += key.length + 4
          if (unsafeKeys.has(key)) return { kind: 'unsafe-key', key }
          if (key.includes('\u0000') || !key.isWellFormed()) return { kind: 'control-text', path }
          pending.push({ value: child, depth: depth + 1, path: path === '' ? key : `${path}.${key}` })
        }
        if (bytes > limit) return { kind: 'too-large', limit }
      }
    } else if (typeof current === 'number') {
      bytes += 8
      if (!Number.isFinite(current)) return { kind: 'not-json', path }
    } else if (typeof current === 'function' || typeof current === 'symbol' || typeof current === 'bigint') {
      return { kind: 'not-json', path }
    }
  }
  return bytes > limit ? { kind: 'too-large', limit } : undefined
}
