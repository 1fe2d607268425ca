import { describe, expect, it } from 'vitest'
import { createRedactor } from '../redact.ts'
import { keys, pem } from './example-secrets.ts'

const redact = createRedactor()

function masked(value: unknown): unknown {
  return redact(value).value
}

describe('redaction of secrets', () => {
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
