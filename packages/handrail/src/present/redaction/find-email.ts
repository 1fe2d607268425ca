import { placeholders } from './placeholders.ts'
import type { Span } from './span.ts'

// Lengths of RFC 5321; they also bound the work per `@`.
const longestLocalPart = 64
const longestDomain = 253
const atSign = /[@\uff20\ufe6b]/g
const wide = /[\p{L}\p{M}\p{N}\p{Cf}]/u
const domainShape = /^[^.-][^.]*(?:\.[^.]+)*\.(?:[\p{L}]{2,63}|xn--[a-z0-9-]{2,59})$/u

/**
 * Finds e-mail addresses, also with letters beyond ASCII and with invisible characters in them.
 * Works outwards from each `@` and never further than an address can be long, so that time is linear.
 */
export function findEmails(text: string): Span[] {
  const spans: Span[] = []
  for (const match of text.matchAll(atSign)) {
    const start = localPartStart(text, match.index)
    if (start === match.index) continue
    const end = domainEnd(text, match.index + 1)
    if (end > match.index + 1) spans.push({ start, end, placeholder: placeholders.email })
  }
  return spans
}

function localPartStart(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start < longestLocalPart && isLocal(text, start - 1)) start--
  while (start < at && (text[start] === '.' || text[start] === '-')) start++
  return start
}

function domainEnd(text: string, from: number): number {
  let end = from
  while (end < text.length && end - from < longestDomain && isDomain(text, end)) end++
  while (end > from && (text[end - 1] === '.' || text[end - 1] === '-')) end--
  // `host.com.v2` is no domain, `host.com` is: drop labels from the end until the last one is a top-level domain.
  let domain = text.slice(from, end)
  for (let labels = 0; labels < 4 && domain.includes('.'); labels++) {
    if (domainShape.test(domain.replace(/\p{Cf}/gu, ''))) return from + domain.length
    domain = domain.slice(0, domain.lastIndexOf('.'))
  }
  return from
}

function isLocal(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  if (code > 127) return wide.test(text.charAt(index))
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    // The other characters of RFC 5322 would swallow what surrounds an address in a URL or a quotation.
    '._%+-'.includes(text.charAt(index))
  )
}

function isDomain(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  if (code > 127) return wide.test(text.charAt(index))
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 45 ||
    code === 46
  )
}
