import { HttpError } from './http-error.ts'

/** Brackets within brackets, beyond what any honest body has. Checked before anything that recurses sees the text. */
const deepest = 64
const unsafeKeys = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Reads a request's JSON within limits: size while it comes in, encoding, depth, then keys and texts that no honest
 * client sends.
 *
 * @param limit bytes
 * @param taken what of the body will be used, where that is not all of it
 * @returns the value; undefined for a request without a body
 * @throws {HttpError} `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE` or `VALIDATION`
 */
export async function readJsonBody(
  request: Request,
  limit: number,
  taken: (body: unknown) => unknown = (body) => body,
): Promise<unknown> {
  const bytes = await readBytes(request, limit)
  if (bytes.length === 0) return undefined
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON, sent with `content-type: application/json`.')
  }
  const text = decode(bytes)
  if (isDeeperThan(text, deepest)) throw notValid(`The body is nested deeper than ${deepest} levels.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw notValid('The body is not JSON.')
  }
  const problem = problemIn(taken(value))
  if (problem) throw notValid(problem)
  return value
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const tooLarge = () =>
    new HttpError('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes.`, { details: { limit } })
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > limit) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw notValid('The body is not UTF-8.')
  }
}

/** Counts brackets outside of strings, without reading the text as JSON. */
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === backslash) index++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if (code === openBrace || code === openBracket) {
      depth++
      if (depth > limit) return true
    } else if (code === closeBrace || code === closeBracket) depth--
  }
  return false
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d]

function problemIn(value: unknown): string | undefined {
  const pending = [value]
  while (pending.length > 0) {
    const current = pending.pop()
    if (typeof current === 'string') {
      if (!isCleanText(current)) return 'A text of the body holds NUL or half of a surrogate pair.'
    } else if (Array.isArray(current)) {
      for (const item of current) pending.push(item)
    } else if (typeof current === 'object' && current !== null) {
      for (const [key, child] of Object.entries(current)) {
        if (unsafeKeys.has(key)) return `The body has a key \`${key}\`, which is not taken.`
        if (!isCleanText(key)) return 'A key of the body holds NUL or half of a surrogate pair.'
        pending.push(child)
      }
    }
  }
  return undefined
}

/** No NUL, which Postgres does not store, and no half of a surrogate pair, which is no text. */
export function isCleanText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

function notValid(message: string): HttpError {
  return new HttpError('VALIDATION', message)
}
