import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor } from './redact.ts'
import { keys, pem } from './redaction/example-secrets.ts'

const redact = createRedactor()

function masked(value: unknown): unknown {
  return redact(value).value
}

describe('createRedactor: where things hide', () => {
  it('masks keys, and keeps two that look the same apart', () => {
    expect(masked({ 'anna@example.com': 1, 'bob@example.com': 2, rest: 3 })).toEqual({
      '[e-mail]': 1,
      '[e-mail] 2': 2,
      rest: 3,
    })
  })

  it('masks inside JSON text, by field and by shape, and writes it as JSON again', () => {
    const text = JSON.stringify({ password: 'x', to: ['anna@example.com'], nested: JSON.stringify({ token: 'abc' }) })
    expect(masked({ body: text })).toEqual({
      body: '{"password":"[secret]","to":["[e-mail]"],"nested":"{\\"token\\":\\"[secret]\\"}"}',
    })
    expect(masked('{"e":"anna\\u0040example.com"}')).toBe('{"e":"[e-mail]"}')
    expect(masked('{ "a": 1 }')).toBe('{ "a": 1 }')
    expect(masked('{anna@example.com}')).toBe('{[e-mail]}')
  })

  it.each(['anna@example.com', 'password=hunter2-and-more', '+49 170 1234567', keys.openai])(
    'masks %j in base64, base64url, hex and URL encoding',
    (plain) => {
      for (const encoding of ['base64', 'base64url', 'hex'] as const) {
        const encoded = Buffer.from(plain).toString(encoding)
        const { value, count } = redact(`see ${encoded}`)
        expect([encoding, value]).toEqual([encoding, expect.stringMatching(/^see \[.+\]$/)])
        expect(count).toBe(1)
      }
      expect(redact(`https://example.com/?q=${encodeURIComponent(plain)}&x=1`).count).toBe(1)
    },
  )

  it('masks what is encoded twice', () => {
    const once = Buffer.from('anna@example.com').toString('base64')
    expect(masked(Buffer.from(once).toString('base64'))).toBe('[e-mail]')
    expect(masked(encodeURIComponent(encodeURIComponent('anna@example.com')))).toContain('[e-mail]')
  })

  it('leaves encoded text alone that holds nothing', () => {
    const text = `data ${Buffer.from('hello, this is fine').toString('base64')} 100%25`
    expect(redact(text)).toEqual({ value: text, count: 0 })
  })

  it('masks in errors and never shows a stack', () => {
    const error = new Error('no access for anna@example.com', { cause: new Error('password=hunter2') })
    expect(masked({ error })).toEqual({
      error: {
        name: 'Error',
        message: 'no access for [e-mail]',
        cause: { name: 'Error', message: 'password=[secret]' },
      },
    })
  })

  it('masks in maps, sets, dates beside, and class instances', () => {
    class Person {
      email = 'anna@example.com'
      greet() {
        return 'hi'
      }
    }
    expect(masked(new Map([['password', 'x']]))).toEqual({ password: '[secret]' })
    expect(masked([new Set(['anna@example.com']), new Person()])).toEqual([['[e-mail]'], { email: '[e-mail]' }])
    expect(masked({ toJSON: () => ({ password: 'x' }) })).toEqual({ password: '[secret]' })
  })
})

describe('createRedactor: options', () => {
  const text = 'anna@example.com, 0170 1234567, DE89370400440532013000, 4111111111111111, password=hunter2'
  it.each([
    ['email', 'anna@example.com'],
    ['phone', '0170 1234567'],
    ['iban', 'DE89370400440532013000'],
    ['card', '4111111111111111'],
    ['secret', 'hunter2'],
  ] as const)('leaves a kind alone when %s is off, and no other', (kind, kept) => {
    const result = redact(text)
    const without = createRedactor({ [kind]: false })(text)
    expect(without.count).toBe(result.count - 1)
    expect(without.value).toContain(kept)
    expect(result.value).not.toContain(kept)
  })

  it('masks further fields and patterns of a pack', () => {
    const own = createRedactor({
      fields: ['Case-Number'],
      patterns: [{ name: 'file number', pattern: /\b\d+ [A-Z] \d+\/\d\d\b/ }],
    })
    expect(own({ caseNumber: 'A', text: 'in 12 O 345/26 and 13 O 1/26', other: 'x' })).toEqual({
      value: { caseNumber: '[secret]', text: 'in [file number] and [file number]', other: 'x' },
      count: 3,
    })
  })
})

describe('createRedactor: whatever it is given', () => {
  it('returns the same reference where there is nothing to do', () => {
    const value = {
      id: '550e8400-e29b-41d4-a716-446655440000',
      list: [1, 'two', { three: null }],
      at: '2026-11-02T10:00:00.000Z',
    }
    expect(redact(value).value).toBe(value)
  })

  it('never changes its input', () => {
    const value = Object.freeze({
      contact: Object.freeze({ email: 'anna@example.com' }),
      list: Object.freeze(['password=hunter2']),
    })
    const before = JSON.stringify(value)
    expect(redact(value).count).toBe(2)
    expect(JSON.stringify(value)).toBe(before)
  })

  it('is done in one go: a second pass finds nothing', () => {
    const part = fc.constantFrom(
      'anna@example.com',
      '0170 1234567',
      'DE89370400440532013000',
      '4111111111111111',
      keys.github,
      'password=hunter2',
      'token: abc123def',
      'x',
      ' ',
      ',',
      '"',
      pem,
    )
    fc.assert(
      fc.property(
        fc.array(fc.oneof(part, fc.string()), { maxLength: 8 }).map((parts) => parts.join('')),
        (text) => {
          const once = redact({ text }).value
          expect(redact(once).value).toEqual(once)
        },
      ),
    )
  })

  it('leaves no address and no key of the known shapes in any JSON value', () => {
    const secret = fc.constantFrom('anna@example.com', keys.openai, keys.aws, keys.jwt, 'DE89370400440532013000')
    const wrap = (text: string) =>
      fc
        .tuple(fc.constantFrom('', 'x ', '(', '"'), fc.constantFrom('', ' y', ')', '"', '\n'))
        .map(([before, after]) => before + text + after)
    const leaf = fc.oneof(fc.string(), secret.chain(wrap))
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(leaf, tie('value'), { maxKeys: 4 }),
      ),
    })).value
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(redact(value).value)
        for (const shape of ['anna@example.com', keys.openai, keys.aws, keys.jwt, 'DE89370400440532013000'])
          expect(text).not.toContain(shape)
      }),
    )
  })

  it('never throws and always gives JSON', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withNullPrototype: true,
          withSparseArray: true,
          withObjectString: true,
        }),
        (value) => {
          const { value: safe } = redact(value)
          expect(JSON.stringify(JSON.parse(JSON.stringify(safe)))).toBe(JSON.stringify(safe))
          expect(redact(safe).value).toEqual(safe)
        },
      ),
    )
  })

  it('survives cycles, throwing getters and hostile proxies', () => {
    const cycle: Record<string, unknown> = { email: 'anna@example.com' }
    cycle.self = cycle
    expect(masked(cycle)).toEqual({ email: '[e-mail]', self: '[circular]' })
    const thrower = Object.defineProperty({ a: 1 }, 'b', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    })
    expect(masked(thrower)).toEqual({ a: 1, b: '[unreadable]' })
    const proxy = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no')
        },
      },
    )
    expect(masked([proxy])).toEqual(['[unreadable]'])
    const revoked = Proxy.revocable({}, {})
    revoked.revoke()
    expect(masked([revoked.proxy])).toEqual(['[unreadable]'])
  })

  it('cuts what is nested too deep, as value and as JSON text', () => {
    let deep: unknown = 'anna@example.com'
    for (let level = 0; level < 10_000; level++) deep = [deep]
    expect(JSON.stringify(masked(deep))).toContain('[nested too deep]')
    expect(JSON.stringify(masked(deep))).not.toContain('anna@')
    expect(masked(`${'['.repeat(10_000)}"anna@example.com"${']'.repeat(10_000)}`)).not.toContain('anna@')
  })

  it('keeps `__proto__` keys inert', () => {
    const hostile: unknown = JSON.parse(
      '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":1}},"e":"anna@example.com"}',
    )
    const safe = masked(hostile)
    expect(Object.getPrototypeOf(safe)).toBe(Object.prototype)
    expect(Object.hasOwn(safe as object, '__proto__')).toBe(false) // an object: its input was one
    expect(safe).toMatchObject({ '[__proto__]': { polluted: 'yes' }, e: '[e-mail]' })
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  it('takes field names such as `toString` and `hasOwnProperty` for names', () => {
    const value = { toString: 'a', hasOwnProperty: 'b', valueOf: 'c', name: 'd', value: 'e' }
    expect(redact(value)).toEqual({ value, count: 0 })
  })

  it('gives half a surrogate pair as the replacement character', () => {
    expect(masked({ 'k\ud800': 'a\udfffb' })).toEqual({ 'k\ufffd': 'a\ufffdb' })
  })

  it.each([
    '@',
    'a@',
    'a@a.',
    '1',
    '1 ',
    '+',
    '+1',
    '(0',
    '0170 ',
    'DE89 ',
    'sk-',
    'eyJ-',
    'eyJa.',
    'password:"',
    'token=',
    '://a:',
    'bearer ',
    '%41',
    '%',
    '-----BEGIN ',
    'Aa1/',
    '{',
    '[',
    '"',
    '\\',
    ' ',
    'tel: 1',
    '@.',
    'a.',
  ])(
    'answers on a megabyte of %j',
    (unit) => {
      const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
      expect(typeof masked(text)).toBe('string')
    },
    5_000,
  )
})
