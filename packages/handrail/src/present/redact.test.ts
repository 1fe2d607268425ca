import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor, type RedactionOptions } from './redact.ts'

const redact = createRedactor()

function masked(value: unknown, options?: RedactionOptions): unknown {
  return (options ? createRedactor(options) : redact)(value).value
}

// Built at run time, so that no scanner takes this file for a leak.
const keys = {
  openai: `sk-${'proj-'}AbCdEf0123456789AbCdEf0123456789`,
  anthropic: `sk-${'ant-api03-'}AbCdEf0123456789AbCdEf0123456789-AA`,
  stripe: `sk_${'live_'}AbCdEf0123456789AbCd`,
  github: `ghp${'_'}AbCdEf0123456789AbCdEf0123456789AbCd`,
  githubFineGrained: `github${'_pat_'}11ABCDEFG0AbCdEf0123456789_AbCdEf0123456789`,
  gitlab: `glpat${'-'}AbCdEf0123456789AbCd`,
  aws: `AKIA${'ABCDEFGHIJKLMNOP'}`,
  slack: `xoxb${'-'}123456789012-123456789012-AbCdEf0123456789`,
  google: `AIza${'SyAbCdEf0123456789AbCdEf0123456789a'}`,
  npm: `npm${'_'}AbCdEf0123456789AbCdEf0123456789AbCd`,
  sendgrid: `SG.${'AbCdEf0123456789AbCdEf'}.${'AbCdEf0123456789AbCdEf0123456789AbCdEf01234'}`,
  jwt: `eyJ${'hbGciOiJIUzI1NiJ9'}.${'eyJzdWIiOiIxIn0'}.${'c2lnbmF0dXJlLXNpZ25hdHVyZQ'}`,
}
const pem = `-----BEGIN ${'RSA PRIVATE KEY'}-----\nMIIEow\nAbCd\n-----END RSA PRIVATE KEY-----`

describe('createRedactor: e-mail addresses', () => {
  it.each([
    ['anna@example.com', '[e-mail]'],
    ['Write to anna.b+test@mail.example.co.uk.', 'Write to [e-mail].'],
    ['<anna@example.com>, bob@example.org;', '<[e-mail]>, [e-mail];'],
    ['mailto:anna@example.com?subject=x', 'mailto:[e-mail]?subject=x'],
    ['jürgen@müller.de', '[e-mail]'],
    ['anna@xn--mller-kva.de', '[e-mail]'],
    ['an\u200bna@example.com', '[e-mail]'],
    ['anna＠example.com', '[e-mail]'],
    ['https://example.com/?to=anna@example.com', 'https://example.com/?to=[e-mail]'],
  ])('masks in %j', (text, expected) => {
    expect(masked(text)).toBe(expected)
  })

  it.each(['@anna', 'anna@', 'a@b', 'left-pad@1.3.0', '@handrail/postgres', 'user@localhost', '5 @ 3.50', 'x @ y.de'])(
    'leaves %j alone',
    (text) => {
      expect(masked(text)).toBe(text)
    },
  )
})

describe('createRedactor: telephone numbers', () => {
  it.each([
    ['+49 170 1234567'],
    ['+491701234567'],
    ['+49 (0)30 123456'],
    ['(+49) 30 123456'],
    ['+49-30-123456-78'],
    ['+1 (555) 234-5678'],
    ['+44 20 7946 0958'],
    ['+41 44 668 18 00'],
    ['0049 170 1234567'],
    ['00491701234567'],
    ['0170 1234567'],
    ['0170/1234567'],
    ['0170-1234567'],
    ['01701234567'],
    ['030 1234567'],
    ['030/1234567'],
    ['(030) 123456'],
    ['0201 / 123 456'],
    ['0664 1234567'],
    ['(555) 234-5678'],
    ['555-234-5678'],
  ])('masks %j, alone and in a sentence', (number) => {
    expect(masked(number)).toBe('[phone]')
    expect(masked(`Bitte unter ${number} anrufen.`)).toBe('Bitte unter [phone] anrufen.')
    expect(masked(`Call ${number}, or write.`)).toBe('Call [phone], or write.')
  })

  it.each([
    ['Tel. 0301234567', 'Tel. [phone]'],
    ['Telefon: 1234567', 'Telefon: [phone]'],
    ['Fax 0301234567', 'Fax [phone]'],
    ['Diensttelefon: 1234567', 'Diensttelefon: [phone]'],
    ['Call me at 5552345678', 'Call me at [phone]'],
    ['tel:+493012345678', 'tel:[phone]'],
    ['030 1234567 0170 7654321', '[phone] [phone]'],
    ['030 1234567, 0170 7654321', '[phone], [phone]'],
  ])('reads the word before a number: %j', (text, expected) => {
    expect(masked(text)).toBe(expected)
  })

  it('masks a number in a field of that name', () => {
    expect(masked({ phone: '2026-11-02' })).toEqual({ phone: '2026-11-02' })
    expect(masked({ phone: '5552345678', mobile_number: '1234 5678', telefon: '0301234567' })).toEqual({
      phone: '[phone]',
      mobile_number: '[phone]',
      telefon: '[phone]',
    })
  })

  it.each([
    '2026-11-02',
    '02.11.2026',
    '2026-11-02T10:00:00.000Z',
    '2026-11-02T10:00:00+01:00',
    '2026-11-02 10:00 to 2026-11-03 12:00',
    '10:30-12:00',
    'v1.24.3',
    '10.0.26200.1234',
    '192.168.100.200',
    '1.234.567,89 €',
    '€ 1,234,567.89',
    '1234567',
    '12345678901234',
    '1700000000000',
    'order 4711-0815',
    'INV-0170-1234567',
    '#01701234567',
    '550e8400-e29b-41d4-a716-446655440000',
    '01234567-0123-0123-0123-012345678901',
    '0.123456789',
    '-0.12345678',
    '3.14159265358979',
    '1e-10',
    '52.520008, 13.404954',
    '01067 Dresden',
    'ISBN 978-3-16-148410-0',
    'page 12 of 345, lines 6789 to 10111',
    '0800-1200',
    'a0170123456789b',
    'https://example.com/items/01701234567',
    '+1 000 000',
    '+3,500 points',
    '100000000 gold',
    'Level 1-2-3-4-5-6-7',
    'Telefonat 02.11.2026',
    'Fax 2026-11-02',
    'call 12345678 failed',
    'Mikrofon 1234567',
  ])('leaves %j alone', (text) => {
    expect(redact(text)).toEqual({ value: text, count: 0 })
  })
})

describe('createRedactor: IBANs and card numbers', () => {
  it.each([
    'DE89370400440532013000',
    'DE89 3704 0044 0532 0130 00',
    'de89 3704 0044 0532 0130 00',
    'GB82 WEST 1234 5698 7654 32',
    'NL91ABNA0417164300',
    'FR14 2004 1010 0505 0001 3M02 606',
    'NO93 8601 1117 947',
  ])('masks the IBAN %j', (iban) => {
    expect(masked(`to ${iban} and more`)).toBe('to [IBAN] and more')
  })

  it.each(['DE88370400440532013000', 'DE89 3704 0044 0532 0130', 'XX89370400440532013000', 'DE893704004405320130001'])(
    'leaves %j alone, whose length or check digits are wrong',
    (text) => {
      expect(masked(text)).toBe(text)
    },
  )

  it.each([
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '4111111111111111',
    '5555555555554444',
    '378282246310005',
    '3782 822463 10005',
    '6011111111111117',
    '30569309025904',
    '3530111333300000',
    '2223003122003222',
    '4222222222222',
  ])('masks the card number %j', (card) => {
    expect(masked(`Card ${card}.`)).toBe('Card [card number].')
  })

  it('masks a card number before its check code, and as a number', () => {
    expect(masked('4111 1111 1111 1111 123')).toBe('[card number] 123')
    expect(masked({ n: 4111111111111111 })).toEqual({ n: '[card number]' })
  })

  it.each([
    '4111 1111 1111 1112',
    '1234567890123452',
    '0000000000000000',
    '41111111111111111111111',
    '0.4111111111111111',
  ])('leaves %j alone', (text) => {
    expect(masked(text)).toBe(text)
  })

  it('leaves times in milliseconds alone', () => {
    expect(redact([1_700_000_000_000, 1_793_000_000_007]).count).toBe(0)
  })
})

describe('createRedactor: secrets', () => {
  it.each(Object.entries(keys))('masks a key of the shape of %s', (_, key) => {
    expect(masked(key)).toBe('[secret]')
    expect(masked(`use ${key}, please`)).toBe('use [secret], please')
    expect(masked({ note: `${key}` })).toEqual({ note: '[secret]' })
  })

  it('masks a PEM key, also one that was cut off', () => {
    expect(masked(`key:\n${pem}\nend`)).toBe('key:\n[secret]\nend')
    expect(masked(pem.slice(0, 50))).toBe('[secret]')
    expect(masked('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----')).toContain('CERTIFICATE')
  })

  it.each([
    ['Authorization: Bearer abc123.def-456', 'Authorization: Bearer [secret]'],
    ['authorization: Basic dXNlcjpwYXNz', 'authorization: Basic [secret]'],
    ['curl -H "Authorization: Bearer AbCdEfGhIjKlMnOp"', 'curl -H "Authorization: Bearer [secret]"'],
    ['Bearer AbCd1234EfGh', 'Bearer [secret]'],
    ['Basic dXNlcjpwYXNz', 'Basic [secret]'],
    ['password=hunter2', 'password=[secret]'],
    ['Password: correcthorse', 'Password: [secret]'],
    ['Passwort: geheim12', 'Passwort: [secret]'],
    ['password: "correct horse battery"', 'password: "[secret]"'],
    ['DB_PASSWORD=s3cr3t!', 'DB_PASSWORD=[secret]'],
    ['api_key=abcdef123456', 'api_key=[secret]'],
    ['apiKey: abcdef123456', 'apiKey: [secret]'],
    ['AWS_SECRET_ACCESS_KEY=abc/def+123456', 'AWS_SECRET_ACCESS_KEY=[secret]'],
    ['?token=abcdef123456&x=1', '?token=[secret]&x=1'],
    ['access_token=abcdef123456', 'access_token=[secret]'],
    ['Cookie: session=abcdef1234567890; path=/', 'Cookie: [secret]; path=/'],
    ['postgres://app:hunter2@db.internal:5432/app', 'postgres://app:[secret]@db.internal:5432/app'],
    ['redis://:hunter2@cache:6379', 'redis://:[secret]@cache:6379'],
    ['mongodb+srv://u:p%40ss@cluster.example.net/x', 'mongodb+srv://u:[secret]@cluster.example.net/x'],
  ])('masks the value in %j', (text, expected) => {
    expect(masked(text)).toBe(expected)
  })

  it.each([
    'Basic mechanics of combat',
    'Bearer certificates are rare',
    'token: 5 gold',
    'The token: sword',
    'password: required',
    'Passwort: vergessen?',
    'Forgot your password? Reset it.',
    'nextPageToken: abcdef123456',
    'sk-learn-and-some-more-words',
    'https://example.com:8080/a@b',
    'Geschwindigkeitsbegrenzungsschild',
    'create_game_system_from_markdown',
    'docs/decisions/0001-why-we-ask.md',
  ])('leaves %j alone', (text) => {
    expect(masked(text)).toBe(text)
  })

  it('masks fields by their name, however it is written', () => {
    const fields = [
      'password',
      'Passwort',
      'API-Key',
      'api_key',
      'apiKey',
      'X-Api-Key',
      'AUTHORIZATION',
      'Set-Cookie',
      'client_secret',
      'dbPassword',
      'privateKey',
      'refreshToken',
    ]
    for (const field of fields) expect(masked({ [field]: 'x' })).toEqual({ [field]: '[secret]' })
    expect(masked({ iban: 'not really one' })).toEqual({ iban: '[IBAN]' })
    expect(masked({ token: { id: 1, value: 'x' }, secret: ['a'], passwort: 7 })).toEqual({
      token: '[secret]',
      secret: '[secret]',
      passwort: '[secret]',
    })
  })

  it('leaves absent values, flags and fields of similar names alone', () => {
    const value = {
      password: null,
      token: '',
      secret: false,
      hasPassword: true,
      tokens: 12,
      tokenCount: 3,
      passwordHint: 'dog',
      nextPageToken: 'AbCdEf0123456789AbCdEf01',
    }
    expect(redact(value)).toEqual({ value, count: 0 })
  })

  it('masks named values in lists of headers and variables', () => {
    expect(
      masked([
        { name: 'Authorization', value: 'x' },
        { key: 'DB_PASSWORD', value: 'y' },
        { name: 'Accept', value: 'z' },
      ]),
    ).toEqual([
      { name: 'Authorization', value: '[secret]' },
      { key: 'DB_PASSWORD', value: '[secret]' },
      { name: 'Accept', value: 'z' },
    ])
  })

  it('masks what looks like a key in a field that may hold one', () => {
    expect(masked({ sessionId: 'AbCdEf0123456789AbCdEf01', signature: '9f86d081884c7d659a2feaa0c55ad015' })).toEqual({
      sessionId: '[secret]',
      signature: '[secret]',
    })
    const plain = {
      key: 'combat-system',
      authorName: 'Anna',
      signingDate: '2026-01-01',
      sessionId: '550e8400-e29b-41d4-a716-446655440000',
    }
    expect(redact(plain)).toEqual({ value: plain, count: 0 })
  })
})

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
