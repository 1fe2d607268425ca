import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maximumValues, toJsonValue } from './json-value.ts'

describe('toJsonValue', () => {
  it('gives for what JSON knows what JSON.stringify gives', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        // A key `__proto__` is renamed, and half a pair replaced, on purpose.
        fc.pre(!JSON.stringify(value).includes('__proto__') && JSON.stringify(value).isWellFormed())
        expect(JSON.stringify(toJsonValue(value))).toBe(JSON.stringify(value))
      }),
    )
  })

  it('returns a safe value as the same reference', () => {
    const value = { a: [1, 'two', null, { b: false }] }
    expect(toJsonValue(value)).toBe(value)
  })

  it('writes what JSON has no place for in a form that it has', () => {
    class Money {
      amount = 5n
      currency = 'EUR'
      format() {
        return '5 EUR'
      }
    }
    expect(
      toJsonValue({
        big: 12345678901234567890n,
        date: new Date('2026-11-02T10:00:00Z'),
        badDate: new Date(Number.NaN),
        nothing: undefined,
        list: [undefined, () => 1, Symbol('s'), Number.NaN, Number.POSITIVE_INFINITY],
        map: new Map<string, unknown>([['a', 1]]),
        pairs: new Map([[1, 'a']]),
        set: new Set(['x']),
        bytes: new Uint8Array(12),
        pattern: /a+/g,
        url: new URL('https://example.com/'),
        money: new Money(),
        own: { toJSON: () => 'mine' },
        f() {},
      }),
    ).toEqual({
      big: '12345678901234567890',
      date: '2026-11-02T10:00:00.000Z',
      badDate: null,
      list: [null, null, null, null, null],
      map: { a: 1 },
      pairs: [[1, 'a']],
      set: ['x'],
      bytes: '[binary: 12 bytes]',
      pattern: '/a+/g',
      url: 'https://example.com/',
      money: { amount: '5', currency: 'EUR' },
      own: 'mine',
    })
    expect(toJsonValue(undefined)).toBeNull()
  })

  it('ends at cycles, and follows a shared value each time', () => {
    const shared = { a: 1 }
    const list: unknown[] = [shared, shared]
    expect(toJsonValue(list)).toBe(list)
    list.push(list)
    expect(toJsonValue(list)).toEqual([{ a: 1 }, { a: 1 }, '[circular]'])
  })

  it('ends at values that unfold without end', () => {
    let bomb: unknown = ['x']
    for (let level = 0; level < 60; level++) bomb = [bomb, bomb]
    expect(JSON.stringify(toJsonValue(bomb)).length).toBeLessThan(maximumValues * 40)
    const endless = { toJSON: () => ({ toJSON: endless.toJSON }) }
    expect(toJsonValue(endless)).toBe('[nested too deep]')
    expect(JSON.stringify(toJsonValue(new Array(1e8)))).toContain('[too many values]')
  })

  it('copies without the methods, and without prototypes of others', () => {
    const hostile = Object.assign(Object.create({ inherited: 1 }) as object, { own: undefined, kept: 2 }) // an object with a prototype of its own
    const safe = toJsonValue(hostile)
    expect(safe).toEqual({ kept: 2 })
    expect(Object.getPrototypeOf(safe)).toBe(Object.prototype)
  })

  it('never throws, and what it gives is safe', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withSparseArray: true,
        }),
        (value) => {
          const safe = toJsonValue(value)
          expect(toJsonValue(safe)).toBe(safe)
          expect(JSON.stringify(safe).isWellFormed()).toBe(true)
        },
      ),
    )
  })
})
