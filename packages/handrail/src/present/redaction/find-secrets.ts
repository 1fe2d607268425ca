import { placeholders } from './placeholders.ts'
import { replaceSpans, type Span } from './span.ts'

/** Key shapes as their issuers publish them. Each begins at the start of a word, so no character is tried twice. */
const keyShapes = new RegExp(
  `(?<![A-Za-z0-9])(?:${[
    'sk-[A-Za-z0-9_-]{16,}', // OpenAI, Anthropic and many after them
    '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}', // Stripe
    'whsec_[A-Za-z0-9]{16,}',
    'gh[oprsu]_[A-Za-z0-9]{20,}', // GitHub
    'github_pat_[A-Za-z0-9_]{20,}',
    'glpat-[A-Za-z0-9_-]{16,}', // GitLab
    '(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])', // AWS
    'xox[a-z]-[A-Za-z0-9-]{10,}', // Slack
    'xapp-[A-Za-z0-9-]{10,}',
    'AIza[0-9A-Za-z_-]{30,}', // Google
    'ya29\\.[0-9A-Za-z_-]{20,}',
    'npm_[A-Za-z0-9]{30,}',
    'hf_[A-Za-z0-9]{20,}',
    'pypi-[A-Za-z0-9_-]{30,}',
    'dop_v1_[a-f0-9]{40,}', // DigitalOcean
    'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{24,}', // Shopify
    'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}', // SendGrid
    'vck_[A-Za-z0-9]{20,}', // Vercel AI Gateway
  ].join('|')})`,
  'g',
)
/** RFC 7519: three base64url parts, the first of which begins with `{"`. */
const webToken = /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){0,3}/g
const credentials = /\b(bearer|basic|negotiate)[ \t]{1,4}([A-Za-z0-9._~+/-]{8,}={0,2})/gi
const authorizationPair =
  /\b(?:proxy-)?authori[sz]ation["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:[A-Za-z-]{2,20}[ \t]{1,4})?([^\s"',;&[\]]{6,})/gi
const pair =
  /(passw(?:or[dt]|d)|passphrase|kennwort|pwd|secret(?:[-_ ]?(?:access[-_ ]?)?key)?|(?:api|private|access|account|encryption|signing)[-_ ]?key|(?:(?<![A-Za-z])|access[-_ ]?|refresh[-_ ]?|auth[-_ ]?|api[-_ ]?|session[-_ ]?|bearer[-_ ]?|bot[-_ ]?|id[-_ ]?)token|(?<![A-Za-z])(?:set-)?cookie)["']?[ \t]{0,4}[:=][ \t]{0,4}(?:"([^"\n]{1,400})"|'([^'\n]{1,400})'|([^\s"',;&)\]}<]{3,}))/gi
/** The password of `scheme://user:password@host`, RFC 3986 userinfo. */
const userInfo = /:\/\/[^\s:/?#@"']{0,128}:([^\s/"'@]{1,256})@/g
const pemBegin = '-----BEGIN '
const pemLabel = /^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/
const notAPassword =
  /^(?:\[|\$\{|\{\{|<|\*{3,}|•|…|(?:required|optional|string|text|null|undefined|none|true|false|reset|forgotten|expired|invalid|missing|wrong|incorrect|change|changed|vergessen|erforderlich|falsch|abgelaufen|ändern|geändert|optional|pflichtfeld)[.!?]?$)/i

/** A cheap look for the beginnings of `keyShapes`, so that most long words cost one search. */
const keyHint =
  /sk-|[rs]k_|whsec_|gh[oprsu]_|github_|glpat-|AKIA|ASIA|xox|xapp-|AIza|ya29|npm_|hf_|pypi-|dop_|shp|SG\.|vck_/
const pairHint = /pass|kennwort|pwd|secret|key|token|cookie|authori/i
const credentialsHint = /bearer|basic|negotiate/i

/** What of a text can hold a secret, from `scanText`. */
export interface SecretTraits {
  pair: boolean
  word: boolean
  token: boolean
}

/** Masks secrets in running text: keys, tokens, PEM blocks, authorization values, `password=` pairs, connection strings. */
export function maskSecrets(text: string, has: SecretTraits, count: (found: number) => void): string {
  const spans: Span[] = []
  if (text.includes(pemBegin)) addPemBlocks(text, spans)
  if (has.token) {
    if (keyHint.test(text)) addMatches(spans, text, keyShapes, 0, looksLikeAKey)
    if (text.includes('eyJ')) addMatches(spans, text, webToken, 0, () => true)
  }
  if (has.word && credentialsHint.test(text)) addMatches(spans, text, credentials, 2, looksLikeCredentials)
  if (has.pair && pairHint.test(text)) {
    addMatches(spans, text, authorizationPair, 1, (value) => !notAPassword.test(value))
    addPairs(text, spans)
  }
  if (has.pair && text.includes('://')) addMatches(spans, text, userInfo, 1, (value) => !notAPassword.test(value))
  if (spans.length === 0) return text
  spans.sort((one, other) => one.start - other.start || other.end - one.end)
  count(spans.length)
  return replaceSpans(text, spans)
}

/** Letters and digits without meaning: long enough, and of enough different characters. */
export function isHighEntropy(value: string): boolean {
  if (!/^[A-Za-z0-9+/_.=-]{20,4096}$/.test(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const occurrences of counts.values())
    bits -= (occurrences / value.length) * Math.log2(occurrences / value.length)
  return bits > 3
}

function addMatches(
  spans: Span[],
  text: string,
  pattern: RegExp,
  group: number,
  accepts: (value: string, match: RegExpMatchArray) => boolean,
): void {
  for (const match of text.matchAll(pattern)) {
    const value = match[group]
    if (value === undefined || !accepts(value, match)) continue
    const start = group === 0 ? match.index : match.index + match[0].lastIndexOf(value)
    spans.push({ start, end: start + value.length, placeholder: placeholders.secret })
  }
}

/** A match that is turned down is searched again behind its separator: its value may begin the next pair. */
function addPairs(text: string, spans: Span[]): void {
  pair.lastIndex = 0
  for (let match = pair.exec(text); match; match = pair.exec(text)) {
    const quoted = match[2] ?? match[3]
    const value = quoted ?? match[4] ?? ''
    const end = match.index + match[0].length - (quoted === undefined ? 0 : 1)
    if (isPairValue(match[1] ?? '', value)) {
      spans.push({ start: end - value.length, end, placeholder: placeholders.secret })
    } else pair.lastIndex = Math.max(match.index + 3, end - Math.min(value.length, 400))
  }
}

function isPairValue(name: string, value: string): boolean {
  if (notAPassword.test(value)) return false
  if (/^(?:pass|kenn|pwd)/i.test(name)) return true
  return value.length >= 16 || (value.length >= 6 && /\d/.test(value))
}

function addPemBlocks(text: string, spans: Span[]): void {
  let start = text.indexOf(pemBegin)
  while (start !== -1) {
    if (!pemLabel.test(text.slice(start, start + 80))) {
      start = text.indexOf(pemBegin, start + pemBegin.length)
      continue
    }
    const footer = text.indexOf('-----END ', start)
    // A block without its end was cut: everything after the header may be key.
    const close = footer === -1 ? -1 : text.indexOf('-----', footer + 9)
    const end = close === -1 ? text.length : close + 5
    spans.push({ start, end, placeholder: placeholders.secret })
    start = text.indexOf(pemBegin, end)
  }
}

function looksLikeAKey(value: string): boolean {
  // `sk-learn-and-other-words` is a slug.
  return !value.startsWith('sk-') || /\d|[A-Z]|[a-z]{16}/.test(value.slice(3))
}

function looksLikeCredentials(value: string, match: RegExpMatchArray): boolean {
  if (match[1]?.toLowerCase() === 'basic') return Buffer.from(value, 'base64').toString('latin1').includes(':')
  return /\d/.test(value) || /[a-z][A-Z]/.test(value) || value.length >= 32
}
