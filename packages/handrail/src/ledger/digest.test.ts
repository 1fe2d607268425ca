import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callDigest, canonicalJson, saltedDigest } from './digest.ts'

/** JSON values with odd keys, odd strings and numbers of every size; `-0` apart, which JSON does not keep. */
const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)))

describe('canonicalJson', () => {
  it('reads back as the same value', () => {
    fc.assert(fc.property(json, (value) => isSame(JSON.parse(canonicalJson(value)), value)))
  })

  it('is the same for a value that was written out and read in', () => {
    fc.assert(fc.property(json, (value) => canonicalJson(JSON.parse(canonicalJson(value))) === canonicalJson(value)))
  })

  it('does not depend on the order of keys', () => {
    fc.assert(fc.property(json, (value) => canonicalJson(withKeysReversed(value)) === canonicalJson(value)))
  })

  it('differs exactly when the values differ', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        expect(canonicalJson(one) === canonicalJson(other)).toBe(isSame(one, other))
      }),
    )
  })

  it('differs when one member anywhere in it differs', () => {
    fc.assert(
      fc.property(json, json, json, (value, before, after) => {
        fc.pre(!isSame(before, after))
        expect(canonicalJson({ a: [value, { b: before }] })).not.toBe(canonicalJson({ a: [value, { b: after }] }))
      }),
    )
  })

  it('sorts keys by code unit, at every depth, and writes no white space', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: 'x', B: true, ä: null, 1: 0, '': -1 })).toBe(
      '{"":-1,"1":0,"B":true,"a":"x","b":[{"c":2,"d":1}],"ä":null}',
    )
  })

  // Numbers of RFC 8785, appendix B.
  it.each([
    [-0, '0'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [295147905179352830000, '295147905179352830000'],
    [9.999999999999997e22, '9.999999999999997e+22'],
    [1e23, '1e+23'],
    [0.000001, '0.000001'],
    [1e-7, '1e-7'],
    [333333333.3333333, '333333333.3333333'],
  ])('writes the number %s as %s', (number, text) => {
    expect(canonicalJson(number)).toBe(text)
  })

  it('keeps strings as they are: composed and decomposed letters differ', () => {
    expect(canonicalJson('\u00e9')).not.toBe(canonicalJson('e\u0301'))
    expect(canonicalJson('\ud800')).toBe('"\\ud800"')
  })

  it('drops undefined members, writes null for what JSON cannot hold, and honours toJSON', () => {
    expect(canonicalJson({ a: undefined, b: [undefined, Number.NaN, Number.POSITIVE_INFINITY, () => 1] })).toBe(
      '{"b":[null,null,null,null]}',
    )
    expect(canonicalJson(undefined)).toBe('null')
    expect(canonicalJson({ at: new Date(0), gone: { toJSON: () => undefined } })).toBe(
      '{"at":"1970-01-01T00:00:00.000Z"}',
    )
    expect(canonicalJson(12_345_678_901_234_567_890n)).toBe('12345678901234567890')
  })

  it('keeps a member that is called __proto__', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}')
  })
})

describe('callDigest', () => {
  const call = {
    pack: 'cms',
    toolName: 'rename_page',
    toolVersion: 1,
    input: { title: 'Home' },
    scope: { siteId: 's' },
  }

  it('is SHA-256, in hex, over the canonical call', () => {
    const text =
      '{"input":{"title":"Home"},"pack":"cms","scope":{"siteId":"s"},"toolName":"rename_page","toolVersion":1}'
    expect(callDigest(call)).toBe(createHash('sha256').update(text).digest('hex'))
  })

  it.each([
    { pack: 'gameplan' },
    { toolName: 'delete_page' },
    { toolVersion: 2 },
    { input: { title: 'Start' } },
    { scope: { siteId: 't' } },
  ])('differs with %o', (change) => {
    expect(callDigest({ ...call, ...change })).not.toBe(callDigest(call))
  })

  it('leaves everything else about a call out', () => {
    expect(callDigest({ ...call, ...{ status: 'done', principal: 'bob' } })).toBe(callDigest(call))
  })
})

describe('saltedDigest', () => {
  it('differs with the salt and with the value, and never mixes them up', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (salt, value, otherSalt, otherValue) => {
        const isEqual = salt === otherSalt && value === otherValue
        expect(saltedDigest(salt, value) === saltedDigest(otherSalt, otherValue)).toBe(isEqual)
      }),
    )
    expect(saltedDigest('1:', 'a')).not.toBe(saltedDigest('1', ':a'))
  })
})

function withKeysReversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKeysReversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, withKeysReversed(member)]),
  )
}

/** Equality of JSON values, written without canonical text. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const members = new Map(Object.entries(one))
  const others = Object.entries(other)
  return (
    members.size === others.length &&
    others.every(([key, member]) => members.has(key) && isSame(members.get(key), member))
  )
}
