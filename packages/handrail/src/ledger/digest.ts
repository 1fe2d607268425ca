import { hash } from 'node:crypto'

/**
 * The one JSON text of a value: keys sorted by code unit, no white space, numbers as JSON writes them (`-0` is `0`),
 * strings as they are (not normalised: what was judged is what is digested). Like `JSON.stringify` it honours `toJSON`,
 * drops `undefined` members and writes `null` for what JSON cannot hold; a bigint is written as its digits.
 *
 * Source of the rules: RFC 8785 (JSON Canonicalization Scheme), which differs only in rejecting what JSON cannot hold.
 *
 * @example canonicalJson({ b: 1, a: [undefined, -0] }) // '{"a":[null,0],"b":1}'
 */
export function canonicalJson(value: unknown): string {
  return textOf(value) ?? 'null'
}

function textOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return Number.isFinite(value) ? String(value === 0 ? 0 : value) : 'null'
    case 'boolean':
      return value ? 'true' : 'false'
    case 'bigint':
      return String(value)
    case 'object':
      return value === null ? 'null' : textOfObject(value)
    default:
      return undefined
  }
}

function textOfObject(value: object): string | undefined {
  if ('toJSON' in value && typeof value.toJSON === 'function') return textOf(value.toJSON())
  if (Array.isArray(value)) {
    let text = '['
    for (let index = 0; index < value.length; index += 1) {
      if (index > 0) text += ','
      text += textOf(value[index]) ?? 'null'
    }
    return `${text}]`
  }
  // Object.entries would build a pair per member; the keys are all we need.
  const members = value as Record<string, unknown> // any other object is read by its own enumerable keys
  let text = '{'
  for (const key of Object.keys(members).sort()) {
    const member = textOf(members[key])
    if (member === undefined) continue
    if (text.length > 1) text += ','
    text += `${JSON.stringify(key)}:${member}`
  }
  return `${text}}`
}

/** What a digest of a call covers: the same arguments to another version, or in another scope, are another call. */
export interface DigestedCall {
  pack: string
  toolName: string
  toolVersion: number
  input: unknown
  scope: unknown
}

/** SHA-256 (hex) of one exact call. Approvals are bound to it and idempotency keys are compared by it. */
export function callDigest({ pack, toolName, toolVersion, input, scope }: DigestedCall): string {
  return hash('sha256', canonicalJson({ pack, toolName, toolVersion, input, scope }))
}

/** SHA-256 (hex) over a salt and a value: says nothing about the value to anyone without the salt. */
export function saltedDigest(salt: string, value: unknown): string {
  return hash('sha256', `${salt.length}:${salt}${canonicalJson(value)}`)
}
