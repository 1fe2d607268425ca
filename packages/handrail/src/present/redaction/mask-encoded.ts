/** Letters, digits and signs of base64, base64url and hex; longer than a short word in plain form. */
const base64Token = /[A-Za-z0-9+/_-]{16,}={0,2}/g
const percentToken = /[A-Za-z0-9._~!*()+%@:$-]{4,}/g
const hexToken = /^(?:[0-9a-fA-F]{2}){8,}$/
const percentEscape = /%[0-9A-Fa-f]{2}/
const readable = /^[\t\n\r\x20-\x7e\u00a0-\u024f\u20ac\u2010-\u203a]*$/
const placeholderInside = /\[(?:e-mail|phone|IBAN|card number|secret)\]/

/** How often something may be encoded within itself. */
export const deepestEncoding = 2
/** Enough of a long token to tell text from bytes. */
const sampleLength = 96

/**
 * Decodes what looks encoded and masks it where the decoded text would have been masked.
 *
 * @param mask masks a decoded text; returns the same text where there is nothing to mask
 */
export function maskEncoded(
  text: string,
  has: { token: boolean; percent: boolean },
  mask: (decoded: string) => string,
): string {
  let result = text
  if (has.percent && percentEscape.test(text)) {
    result = result.replace(percentToken, (token) => {
      if (!percentEscape.test(token)) return token
      const decoded = decodePercent(token)
      if (decoded === token) return token
      const masked = mask(decoded)
      return masked === decoded ? token : masked
    })
  }
  if (!has.token) return result
  return result.replace(base64Token, (token) => {
    const decoded = decodeToken(token)
    if (decoded === undefined) return token
    const masked = mask(decoded)
    return masked === decoded ? token : (placeholderInside.exec(masked)?.[0] ?? '[secret]')
  })
}

function decodePercent(token: string): string {
  try {
    return decodeURIComponent(token)
  } catch {
    // A stray `%` or broken UTF-8: decode the ASCII escapes alone.
    return token.replace(/%([2-7][0-9A-Fa-f])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  }
}

function decodeToken(token: string): string | undefined {
  if (hexToken.test(token)) {
    const fromHex = decodeReadable(token, 'hex')
    if (fromHex !== undefined) return fromHex
  }
  // Text in base64 mixes cases; words and paths of one case are left alone without a try.
  if (!/[A-Z]/.test(token) || !/[a-z]/.test(token)) return undefined
  return decodeReadable(token, 'base64')
}

function decodeReadable(token: string, encoding: 'hex' | 'base64'): string | undefined {
  if (token.length > sampleLength) {
    const sample = Buffer.from(token.slice(0, sampleLength), encoding).toString('utf8')
    // The sample can end within a character.
    if (!readable.test(sample.replace(/\ufffd$/, ''))) return undefined
  }
  const decoded = Buffer.from(token, encoding).toString('utf8')
  return readable.test(decoded) ? decoded : undefined
}
