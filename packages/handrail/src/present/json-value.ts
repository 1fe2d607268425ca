/** What can be written as JSON and read back the same. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }

/** What a walk asks about the strings and fields it meets. The defaults of `toJsonValue` change nothing. */
export interface JsonVisitor {
  /** Called for every string; `key` is the nearest field name above it. Returns the same string to keep it. */
  text(text: string, key: string | undefined): string
  number?(number: number): JsonValue
  key(key: string): string
  /** Returns a value to put in place of a field, or undefined to walk into it. */
  field?(key: string, value: unknown, holder: object): JsonValue | undefined
}

/** Deeper than this a value is cut with `[nested too deep]`: recursion stays far from the end of the stack. */
export const maximumDepth = 200
/** More values than this are cut with `[too many values]`: shared references can unfold exponentially. */
export const maximumValues = 1_000_000

const justSafe: JsonVisitor = { text: (text) => text, key: (key) => key }

/**
 * Makes anything JSON-safe, as `JSON.stringify` would where that has an answer: bigint becomes a string, Date its
 * ISO text, NaN null, Map an object (pairs where keys are not strings), Set an array; functions and undefined are
 * dropped, cycles become `[circular]`, lone surrogates U+FFFD, bytes `[binary: 12 bytes]`. Never throws, never
 * changes its input, and returns the same reference when the value was safe already.
 *
 * @example toJsonValue({ at: new Date(0), n: 1n, f() {} }) // { at: '1970-01-01T00:00:00.000Z', n: '1' }
 */
export function toJsonValue(value: unknown, visitor: JsonVisitor = justSafe): JsonValue {
  return new Walk(visitor).child(value, undefined) ?? null
}

class Walk {
  private readonly visitor: JsonVisitor
  private readonly ancestors: object[] = []
  private values = 0

  constructor(visitor: JsonVisitor) {
    this.visitor = visitor
  }

  /** The safe form of one value; undefined when JSON has no place for it. */
  child(value: unknown, key: string | undefined): JsonValue | undefined {
    switch (typeof value) {
      case 'string': {
        const text = this.visitor.text(value, key)
        return text.isWellFormed() ? text : text.toWellFormed()
      }
      case 'number':
        if (!Number.isFinite(value)) return null
        return this.visitor.number ? this.visitor.number(value) : value
      case 'boolean':
        return value
      case 'bigint':
        return this.visitor.text(value.toString(), key)
      case 'object':
        return value === null ? null : this.container(value, key)
      default:
        return undefined
    }
  }

  private container(value: object, key: string | undefined): JsonValue | undefined {
    if (this.ancestors.length >= maximumDepth) return '[nested too deep]'
    if (++this.values > maximumValues) return '[too many values]'
    if (this.ancestors.includes(value)) return '[circular]'
    this.ancestors.push(value)
    try {
      if (Array.isArray(value)) return this.array(value, key)
      const prototype: unknown = Object.getPrototypeOf(value)
      if ((prototype === Object.prototype || prototype === null) && !('toJSON' in value)) return this.record(value)
      return this.instance(value, key)
    } catch {
      // A getter or a proxy threw: what cannot be read cannot be shown.
      return '[unreadable]'
    } finally {
      this.ancestors.pop()
    }
  }

  private array(items: readonly unknown[], key: string | undefined): JsonValue {
    let copy: JsonValue[] | undefined
    for (let index = 0; index < items.length; index++) {
      if (++this.values > maximumValues) {
        const kept = copy ?? this.trusted(items.slice(0, index))
        kept.push('[too many values]')
        return kept
      }
      const item = items[index]
      const safe = this.child(item, key) ?? null
      if (copy) copy.push(safe)
      else if (safe !== item) {
        copy = this.trusted(items.slice(0, index))
        copy.push(safe)
      }
    }
    return copy ?? this.trusted(items)
  }

  private record(holder: object): JsonValue {
    const keys = Object.keys(holder)
    let copy: Record<string, JsonValue> | undefined
    for (let index = 0; index < keys.length; index++) {
      // Both are in range and own: `keys` came from the holder.
      const key = keys[index] as string
      const value: unknown = readField(holder, key)
      if (value === unreadable) {
        copy ??= copyOf(holder, keys, index)
        copy[key] = '[unreadable]'
        continue
      }
      const safe = this.visitor.field?.(key, value, holder) ?? this.child(value, key)
      const safeKey = key === '__proto__' ? '[__proto__]' : this.visitor.key(key).toWellFormed()
      if (!copy && safe === value && safe !== undefined && safeKey === key) continue
      copy ??= copyOf(holder, keys, index)
      if (safe !== undefined) copy[freeKey(copy, safeKey, key)] = safe
    }
    // Every field was found to be safe as it is.
    return copy ?? (holder as Record<string, JsonValue>)
  }

  private instance(value: object, key: string | undefined): JsonValue | undefined {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
    if (value instanceof Map) return this.map(value, key)
    if (value instanceof Set) return this.array([...value], key)
    if (value instanceof Error) return this.record(errorFields(value))
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[binary: ${value.byteLength} bytes]`
    if (value instanceof RegExp) return this.child(String(value), key)
    if (value instanceof String || value instanceof Number || value instanceof Boolean) {
      return this.child(value.valueOf(), key)
    }
    if ('toJSON' in value && typeof value.toJSON === 'function') return this.child(value.toJSON(), key)
    // A class instance: its own fields, on a plain object, so that the copy carries no behaviour.
    return this.record({ ...value })
  }

  private map(map: Map<unknown, unknown>, key: string | undefined): JsonValue {
    const entries = [...map]
    if (!entries.every(([name]) => typeof name === 'string')) return this.array(entries, key)
    return this.record(Object.fromEntries(entries))
  }

  /** Items that were all found to be safe as they are. */
  private trusted(items: readonly unknown[]): JsonValue[] {
    return items as JsonValue[] // each was compared with its safe form
  }
}

const unreadable = Symbol('unreadable')

function readField(holder: object, key: string): unknown {
  try {
    return Reflect.get(holder, key)
  } catch {
    return unreadable
  }
}

function copyOf(holder: object, keys: readonly string[], count: number): Record<string, JsonValue> {
  const copy: Record<string, JsonValue> = {}
  for (const key of keys.slice(0, count)) copy[key] = Reflect.get(holder, key) as JsonValue // found safe before
  return copy
}

/** Two masked keys may look the same; the second one gets a number. */
function freeKey(copy: Record<string, JsonValue>, safeKey: string, original: string): string {
  if (safeKey === original || !Object.hasOwn(copy, safeKey)) return safeKey
  let number = 2
  while (Object.hasOwn(copy, `${safeKey} ${number}`)) number++
  return `${safeKey} ${number}`
}

/** Never the stack: it names files of the host. */
function errorFields(error: Error): Record<string, unknown> {
  const fields: Record<string, unknown> = { name: error.name, message: error.message }
  if (error.cause !== undefined) fields.cause = error.cause
  return { ...fields, ...error }
}
