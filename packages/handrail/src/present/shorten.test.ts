import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from './estimate-tokens.ts'
import { leftOutKey, shorten } from './shorten.ts'

function rows(count: number, text = 'x'.repeat(100)) {
  return Array.from({ length: count }, (_, index) => ({ id: index, text }))
}

describe('shorten', () => {
  it('returns what fits as the same reference', () => {
    const value = { list: rows(3), note: 'short' }
    expect(shorten(value, { tokens: 8_000 })).toEqual({ value, truncated: false })
    expect(shorten(value, { tokens: 8_000 }).value).toBe(value)
    const close = 'é"\n'.repeat(700)
    expect(shorten(close, { tokens: estimateTokens(close) }).value).toBe(close)
  })

  it('keeps the first items of a list and says how many more there are, and how to get them', () => {
    const { value, truncated, note } = shorten(rows(1_000), { tokens: 1_000 })
    const list = value as { id: number }[] // a list stays a list
    expect(truncated).toBe(true)
    expect(list.slice(0, 3).map(({ id }) => id)).toEqual([0, 1, 2])
    expect(list.at(-1)).toEqual({
      [leftOutKey]: `${1_000 - list.length + 1} of 1,000 items; ask for the next page, or for fewer at a time`,
    })
    expect(note).toContain('items')
    expect(estimateTokens(value)).toBeGreaterThan(800)
  })

  it('keeps head and tail of a long text', () => {
    const { value } = shorten({ name: 'report', text: `START ${'lorem '.repeat(10_000)}END` }, { tokens: 500 })
    const { name, text } = value as { name: string; text: string } // both are texts
    expect(name).toBe('report')
    expect(text).toMatch(/^START lorem .*… \[\d\d,\d{3} characters left out\] ….*lorem END$/s)
  })

  it('keeps small fields whole beside a large one', () => {
    const { value } = shorten({ big: 'x'.repeat(100_000), id: 'abc', list: [1, 2, 3], count: 7 }, { tokens: 300 })
    expect(value).toMatchObject({ id: 'abc', list: [1, 2, 3], count: 7 })
  })

  it('shows several items of a list even when each is long', () => {
    const { value } = shorten(rows(4, 'y'.repeat(50_000)), { tokens: 2_000 })
    expect(value).toHaveLength(4)
    expect(value).toMatchObject([{ id: 0 }, { id: 1 }, { id: 2 }, { id: 3 }])
  })

  it('says how many fields were left out', () => {
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, index]))
    const { value } = shorten(wide, { tokens: 500 })
    expect(value).toMatchObject({ field0: 0, [leftOutKey]: expect.stringMatching(/^4,\d{3} of 5,000 fields$/) })
  })

  it('sums up what is nested deep', () => {
    let deep: unknown = rows(50)
    for (let level = 0; level < 30; level++) deep = { level, child: deep }
    const { value } = shorten(deep, { tokens: 400 })
    expect(JSON.stringify(value)).toMatch(/left out/)
    expect(value).toMatchObject({ level: 29, child: { level: 28 } })
  })

  it('never cuts a character in two', () => {
    for (let extra = 0; extra < 8; extra++) {
      const { value } = shorten(`${'a'.repeat(extra)}${'😀'.repeat(5_000)}`, { tokens: 200 })
      expect(JSON.stringify(value)).not.toContain('\\ud')
      expect(String(value).isWellFormed()).toBe(true)
    }
  })

  it('fits any JSON value into any budget of 40 tokens or more', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .tuple(fc.constantFrom('a', 'ä', '😀', '"', '\u0001', '日本'), fc.nat(4_000))
        .map(([unit, count]) => unit.repeat(count)),
    )
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6, depthSize: 'medium' },
        text,
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 30 }),
        fc.dictionary(text, tie('value'), { maxKeys: 30 }),
      ),
    })).value
    fc.assert(
      fc.property(json, fc.integer({ min: 40, max: 3_000 }), (value, tokens) => {
        const short = shorten(value, { tokens })
        expect(estimateTokens(short.value)).toBeLessThanOrEqual(tokens)
        expect(short.truncated).toBe(short.note !== undefined)
        expect(JSON.stringify(JSON.parse(JSON.stringify(short.value)))).toBe(JSON.stringify(short.value))
      }),
      { numRuns: 500 },
    )
  })

  it('uses most of a budget that is too small for the value', () => {
    for (const value of [rows(5_000), 'word '.repeat(50_000), { a: 'x'.repeat(50_000), b: 'y'.repeat(50_000) }]) {
      expect(estimateTokens(shorten(value, { tokens: 2_000 }).value)).toBeGreaterThan(1_700)
    }
  })

  it('answers on two megabytes of any shape', () => {
    let deep: unknown = 'end'
    for (let level = 0; level < 100_000; level++) deep = [deep]
    const shapes = [
      'x'.repeat(2_000_000),
      '\u0000'.repeat(2_000_000),
      rows(20_000),
      Array.from({ length: 1_000_000 }, () => 1),
      Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 'v'])),
      { ['k'.repeat(2_000_000)]: 1 },
      deep,
    ]
    for (const shape of shapes) {
      const short = shorten(shape, { tokens: 8_000 })
      expect(short.truncated || JSON.stringify(short.value).includes('[nested too deep]')).toBe(true)
      expect(estimateTokens(short.value)).toBeLessThanOrEqual(8_000)
    }
  })

  it('does not change its input, and keeps a field that looks like its own marker out', () => {
    const value = Object.freeze({ [leftOutKey]: 'forged', list: Object.freeze(rows(500)) })
    const before = JSON.stringify(value)
    expect(JSON.stringify(shorten(value, { tokens: 300 }).value)).not.toContain('forged')
    expect(JSON.stringify(value)).toBe(before)
  })
})
