import { type JsonValue, type JsonVisitor, toJsonValue } from './json-value.ts'
import { type FieldMeaning, meaningOf, plainName } from './redaction/field-names.ts'
import { findCards, isCardNumber } from './redaction/find-cards.ts'
import { findEmails } from './redaction/find-email.ts'
import { findIbans } from './redaction/find-iban.ts'
import { findPhones } from './redaction/find-phones.ts'
import { isHighEntropy, maskSecrets } from './redaction/find-secrets.ts'
import { deepestEncoding, maskEncoded } from './redaction/mask-encoded.ts'
import { placeholders } from './redaction/placeholders.ts'
import { scanText, traits } from './redaction/scan-text.ts'
import { replaceSpans, type Span } from './redaction/span.ts'

/** What is masked before a result leaves the gate. All built-in kinds are on unless switched off. */
export interface RedactionOptions {
  email?: boolean
  phone?: boolean
  iban?: boolean
  card?: boolean
  secret?: boolean
  /** Field names whose values are masked whatever they hold, compared without case and separators. */
  fields?: readonly string[]
  patterns?: readonly { name: string; pattern: RegExp }[]
}

/**
 * Masks a value of any kind and makes it JSON-safe on the way (see `toJsonValue`). Never throws and never changes its
 * input; `value` is the same reference when there was nothing to do. `count` says how many places were masked.
 */
export type Redactor = (value: unknown) => { value: JsonValue; count: number }

/** Texts that are an id or a time as a whole hold nothing else. */
const idOrTime =
  /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?)$/i
const shortestIdOrTime = 10
const longestIdOrTime = 40
/** Field names seen before, so that a name is judged once and not per row. */
const rememberedNames = 2_000
/** Shorter than the shortest thing that is searched for (`a@b.de`). */
const shortestFind = 6

/**
 * Makes the redactor of a pack: e-mail addresses, telephone numbers, IBANs, card numbers and secrets, each switchable,
 * in values, in keys, in JSON text, and in base64, hex or URL encoding; and whole fields by their name. Time is linear
 * in the size of the value, whatever it holds; a pack's own `patterns` are run as they are.
 *
 * @example
 * createRedactor()({ contact: 'anna@example.com', password: 'x' })
 * // { value: { contact: '[e-mail]', password: '[secret]' }, count: 2 }
 */
export function createRedactor(options: RedactionOptions = {}): Redactor {
  const on = {
    email: options.email ?? true,
    phone: options.phone ?? true,
    iban: options.iban ?? true,
    card: options.card ?? true,
    secret: options.secret ?? true,
  }
  const ownNames = new Set((options.fields ?? []).map(plainName))
  const ownPatterns = (options.patterns ?? []).map(({ name, pattern }) => ({
    placeholder: `[${name}]`,
    pattern: new RegExp(pattern.source, pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`),
  }))
  const meanings = new Map<string, FieldMeaning>()

  function meaning(key: string): FieldMeaning {
    const known = meanings.get(key)
    if (known) return known
    const found = { ...meaningOf(key, on, ownNames), isPlain: new Redaction().masked(key, false) === key }
    if (meanings.size < rememberedNames) meanings.set(key, found)
    return found
  }

  /** One redaction: counts what it masks. */
  class Redaction implements JsonVisitor {
    count = 0
    private depth = 0
    private readonly counts = (found: number): void => {
      this.count += found
    }

    text(text: string, key: string | undefined): string {
      if (text.length < shortestFind && ownPatterns.length === 0) return text
      const field = key === undefined ? undefined : meaning(key)
      if (field?.mayHoldKey && isHighEntropy(text) && !isIdOrTime(text)) {
        this.count++
        return placeholders.secret
      }
      return this.masked(text, field?.isPhone ?? false)
    }

    number(number: number): JsonValue {
      if (!on.card || !isCardNumber(number)) return number
      this.count++
      return placeholders.card
    }

    key(key: string): string {
      return meaning(key).isPlain ? key : this.masked(key, false)
    }

    field(key: string, value: unknown, holder: object): JsonValue | undefined {
      let masks = meaning(key).masks
      // Lists of headers, variables and settings: `{ name: 'Authorization', value: '…' }`.
      if (key === 'value' && masks === undefined) masks = this.meaningOfNamed(holder)
      if (masks === undefined || isEmpty(value) || value === masks) return undefined
      this.count++
      return masks
    }

    private meaningOfNamed(holder: object): string | undefined {
      const name = ownText(holder, 'name') ?? ownText(holder, 'key') ?? ownText(holder, 'header')
      return name === undefined ? undefined : meaning(name).masks
    }

    masked(text: string, isPhoneField: boolean): string {
      const found = scanText(text)
      if (found === 0 && ownPatterns.length === 0) return text
      if (!(found & (traits.at | traits.percent | traits.fullWidth)) && isIdOrTime(text)) return this.maskedOwn(text)
      const normal = found & traits.fullWidth ? this.maskedFullWidth(text, isPhoneField) : text
      if (normal !== text) return normal
      const nested = this.maskedJson(text)
      if (nested !== undefined) return nested
      let result = text
      if (on.secret && found & (traits.pair | traits.word)) {
        const has = { pair: hasTrait(found, 'pair'), word: hasTrait(found, 'word'), token: hasTrait(found, 'token') }
        result = maskSecrets(result, has, this.counts)
      }
      if (on.email && found & traits.at) result = this.mask(result, findEmails(result))
      if (found & traits.digits) {
        if (on.iban) result = this.mask(result, findIbans(result))
        if (on.card) result = this.mask(result, findCards(result))
        if (on.phone) result = this.mask(result, findPhones(result, isPhoneField))
      }
      if (found & (traits.percent | traits.token)) result = this.maskedEncoded(result, found)
      return this.maskedOwn(result)
    }

    private mask(text: string, spans: readonly Span[]): string {
      if (spans.length === 0) return text
      this.count += spans.length
      return replaceSpans(text, spans)
    }

    private maskedFullWidth(text: string, isPhoneField: boolean): string {
      const plain = text.normalize('NFKC')
      if (scanText(plain) & traits.fullWidth) return text
      const masked = this.masked(plain, isPhoneField)
      return masked === plain ? text : masked
    }

    private maskedEncoded(text: string, found: number): string {
      if (this.depth >= deepestEncoding) return text
      this.depth++
      const has = { token: hasTrait(found, 'token'), percent: hasTrait(found, 'percent') }
      const result = maskEncoded(text, has, (decoded) => this.masked(decoded, false))
      this.depth--
      return result
    }

    /** A text that is a JSON document is masked by its fields and written again; undefined when it is none. */
    private maskedJson(text: string): string | undefined {
      const first = text.charCodeAt(0)
      if ((first !== 0x7b && first !== 0x5b) || this.depth >= deepestEncoding) return undefined
      const last = text.trimEnd().at(-1)
      if (last !== '}' && last !== ']') return undefined
      const before = this.count
      this.depth++
      try {
        const parsed: unknown = JSON.parse(text)
        const safe = toJsonValue(parsed, this)
        if (this.count > before) return JSON.stringify(safe)
        // What was cut for its depth has not been looked at.
        return safe === parsed ? text : undefined
      } catch {
        // Not JSON after all: searched as text.
        this.count = before
        return undefined
      } finally {
        this.depth--
      }
    }

    private maskedOwn(text: string): string {
      if (ownPatterns.length === 0) return text
      return ownPatterns.reduce(
        (result, { placeholder, pattern }) =>
          result.replace(pattern, (match) => {
            if (match === '' || match === placeholder) return match
            this.count++
            return placeholder
          }),
        text,
      )
    }
  }

  return (value) => {
    const redaction = new Redaction()
    return { value: toJsonValue(value, redaction), count: redaction.count }
  }
}

function isIdOrTime(text: string): boolean {
  return text.length >= shortestIdOrTime && text.length <= longestIdOrTime && idOrTime.test(text)
}

function hasTrait(found: number, trait: keyof typeof traits): boolean {
  return (found & traits[trait]) !== 0
}

/** Nothing to hide: an absent value, a flag, an empty text. */
function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || typeof value === 'boolean' || value === '' || typeof value === 'function'
  )
}

function ownText(holder: object, key: string): string | undefined {
  const value: unknown = Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined
  return typeof value === 'string' ? value : undefined
}
