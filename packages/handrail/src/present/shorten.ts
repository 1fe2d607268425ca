import { bytesFor, jsonBytes } from './estimate-tokens.ts'
import { type JsonValue, maximumDepth, toJsonValue } from './json-value.ts'

export interface Shortened {
  value: JsonValue
  truncated: boolean
  /** What was left out and how to get the rest; only when something was. */
  note?: string
}

/** The field, or last item, that says what was left out of an object or list. In brackets, as no field of ours is. */
export const leftOutKey = '[left out]'

/** Fewer tokens than this cannot even say what is missing. */
const smallestBudget = 40
/** Bytes enough for any summary (`[1,000,000 items left out]`) and for the marker in a text. */
const smallestPart = 52
/** Bytes set aside for the marker of a list or object. */
const markerBytes = 150
/** So many first items get room even when each is long. */
const favouredItems = 5
const howToGetItems = 'ask for the next page, or for fewer at a time'
const howToGetTexts = 'ask for a single record or a narrower part to see it whole'

/**
 * Fits a value into a budget and keeps it valid: lists keep their first items and say how many more there are, long
 * texts keep their head and tail, objects keep their fields, small ones first, and what still does not fit is summed up.
 * Never cuts JSON text, and never a character in two. Linear in the size of the value; a value that fits comes back as
 * the same reference. Mask first and shorten after, so that no cut leaves half a secret.
 *
 * @param budget tokens as `estimateTokens` counts them; fewer than 40 count as 40
 * @example shorten(rows, { tokens: 8_000 }) // { value: [row, …, { '[left out]': '37 of 50 items; …' }], truncated: true, note }
 */
export function shorten(value: unknown, budget: { tokens: number }): Shortened {
  const bytes = bytesFor(Math.max(smallestBudget, budget.tokens))
  if (isSurelyWithin(value, bytes)) return { value: toJsonValue(value), truncated: false }
  const safe = toJsonValue(value)
  const cut = new Cut()
  if (cut.size(safe) <= bytes) return { value: safe, truncated: false }
  const short = cut.fit(safe, bytes)
  return { value: short, truncated: true, note: cut.note() }
}

/** An upper bound without looking at characters: six bytes for each, as for an escaped control character. */
function isSurelyWithin(value: unknown, bytes: number): boolean {
  return spend(value, bytes, 0) >= 0
}

function spend(value: unknown, bytes: number, depth: number): number {
  if (typeof value === 'string') return bytes - value.length * 6 - 2
  if (typeof value !== 'object' || value === null) return bytes - 26
  if (depth > maximumDepth) return -1
  let left = bytes - 2
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++) left = spend(value[index], left, depth + 1) - 1
    return left
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return -1
  for (const key of Object.keys(value)) {
    left = spend(Reflect.get(value, key), left - key.length * 6 - 4, depth + 1)
    if (left < 0) return left
  }
  return left
}

/** One shortening: remembers sizes, so that nothing is measured twice, and what was left out. */
class Cut {
  private readonly sizes = new Map<object, number>()
  private items = 0
  private fields = 0
  private texts = 0

  /** UTF-8 bytes as JSON. */
  size(value: JsonValue): number {
    if (typeof value !== 'object' || value === null) return jsonBytes(value)
    const known = this.sizes.get(value)
    if (known !== undefined) return known
    let bytes = 2
    if (Array.isArray(value)) for (const item of value) bytes += this.size(item) + 1
    else for (const [key, item] of Object.entries(value)) bytes += jsonBytes(key) + this.size(item) + 2
    this.sizes.set(value, bytes)
    return bytes
  }

  /** The value, or what of it fits into so many bytes; at least `smallestPart` of them. */
  fit(value: JsonValue, bytes: number): JsonValue {
    if (this.size(value) <= bytes) return value
    if (typeof value === 'string') return this.text(value, bytes)
    if (typeof value !== 'object' || value === null) return value
    return Array.isArray(value) ? this.list(value, bytes) : this.record(value, bytes)
  }

  note(): string {
    const parts = [
      this.items > 0 ? `${count(this.items, 'item')} (${howToGetItems})` : '',
      this.fields > 0 ? count(this.fields, 'field') : '',
      this.texts > 0 ? `parts of ${count(this.texts, 'long text')} (${howToGetTexts})` : '',
    ].filter((part) => part !== '')
    return `Shortened to fit. Left out: ${parts.join('; ')}.`
  }

  private list(items: readonly JsonValue[], bytes: number): JsonValue {
    let room = bytes - 2 - markerBytes
    if (room < smallestPart) return this.summary(items.length, 'item')
    const kept: JsonValue[] = []
    const favoured = Math.min(items.length, favouredItems, Math.floor(room / (smallestPart + 1)))
    for (const item of items) {
      const share = kept.length < favoured ? Math.floor(room / (favoured - kept.length)) - 1 : room - 1
      const size = this.size(item)
      if (size > share && kept.length >= favoured) break
      const short = size <= share ? item : this.fit(item, share)
      kept.push(short)
      room -= (short === item ? size : jsonBytes(short)) + 1
    }
    const left = items.length - kept.length
    if (left === 0) return kept
    this.items += left
    return [
      ...kept,
      { [leftOutKey]: `${left.toLocaleString('en')} of ${count(items.length, 'item')}; ${howToGetItems}` },
    ]
  }

  private record(record: Record<string, JsonValue>, bytes: number): JsonValue {
    const entries = Object.entries(record)
    const room = bytes - 2 - markerBytes
    const chosen: { key: string; value: JsonValue; overhead: number; size: number }[] = []
    let needed = 0
    for (const [key, value] of entries) {
      const size = this.size(value)
      const overhead = jsonBytes(key) + 2
      const least = overhead + Math.min(size, smallestPart)
      if (key === leftOutKey || needed + least > room) continue
      needed += least
      chosen.push({ key, value, overhead, size })
    }
    if (chosen.length === 0) return this.summary(entries.length, 'field')
    const share = fairShare(chosen, room)
    const kept = chosen.map(({ key, value }): [string, JsonValue] => [key, this.fit(value, share)])
    const left = entries.length - chosen.length
    if (left > 0) {
      this.fields += left
      kept.push([leftOutKey, `${left.toLocaleString('en')} of ${count(entries.length, 'field')}`])
    }
    return Object.fromEntries(kept)
  }

  /** Two thirds of the room for the head, the rest for the tail. */
  private text(text: string, bytes: number): string {
    this.texts++
    const room = bytes - 2 - smallestPart
    const head = fittingHead(text, Math.floor((room * 2) / 3))
    const tail = fittingTail(text, Math.floor(room / 3), head)
    return `${text.slice(0, head)}… [${count(tail - head, 'character')} left out] …${text.slice(tail)}`
  }

  private summary(number: number, what: 'item' | 'field'): string {
    if (what === 'item') this.items += number
    else this.fields += number
    return `[${count(number, what)} left out]`
  }
}

/** The largest part that each value may take so that all fit: small ones whole, the rest alike. */
function fairShare(parts: readonly { overhead: number; size: number }[], room: number): number {
  let left = room
  for (const part of parts) left -= part.overhead
  const sizes = parts.map(({ size }) => size).sort((one, other) => one - other)
  for (const [index, size] of sizes.entries()) {
    const share = Math.floor(left / (sizes.length - index))
    if (size > share) return Math.max(smallestPart, share)
    left -= size
  }
  return room
}

/** How many units of the text fit from the start; never half a pair. */
function fittingHead(text: string, bytes: number): number {
  let left = bytes
  let index = 0
  while (index < text.length) {
    const width = isPairAt(text, index) ? 2 : 1
    left -= escapedBytes(text, index, width)
    if (left < 0) break
    index += width
  }
  return index
}

/** Where the longest tail of so many bytes begins, behind `from`. */
function fittingTail(text: string, bytes: number, from: number): number {
  let left = bytes
  let index = text.length
  while (index > from) {
    const width = index - 2 >= from && isPairAt(text, index - 2) ? 2 : 1
    left -= escapedBytes(text, index - width, width)
    if (left < 0) break
    index -= width
  }
  return index
}

function isPairAt(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00
}

/** Bytes of one character in JSON text, escapes included. */
function escapedBytes(text: string, index: number, width: number): number {
  if (width === 2) return 4
  const code = text.charCodeAt(index)
  if (code < 0x20) return 6
  if (code === 0x22 || code === 0x5c) return 2
  return code < 0x80 ? 1 : code < 0x800 ? 2 : 3
}

function count(number: number, what: string): string {
  return `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`
}
