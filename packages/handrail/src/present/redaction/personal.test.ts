import { describe, expect, it } from 'vitest'
import { createRedactor } from '../redact.ts'

const redact = createRedactor()

function masked(value: unknown): unknown {
  return redact(value).value
}

describe('redaction of e-mail addresses', () => {
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

describe('redaction of telephone numbers', () => {
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
    '423.80 + 1008 0.3 195.60 + 20',
    'Telefonat 02.11.2026',
    'Fax 2026-11-02',
    'call 12345678 failed',
    'Mikrofon 1234567',
  ])('leaves %j alone', (text) => {
    expect(redact(text)).toEqual({ value: text, count: 0 })
  })
})

describe('redaction of IBANs and card numbers', () => {
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
