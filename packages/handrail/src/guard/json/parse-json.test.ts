import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from './parse-json.ts'
import { repairAllowance } from './repair-allowance.ts'

function parsed(text: string): unknown {
  return parseJson(text, repairAllowance())?.value
}

describe('parseJson', () => {
  it.each([
    ['quotes inside a string', '{"a": "He said "hello" to me"}', { a: 'He said "hello" to me' }],
    ['quotes around a bracket', '{"a": {"b": "He said "}" there"}}', { a: { b: 'He said "}" there' } }],
    [
      'quotes, then further keys',
      '{"a": "use "strict"; x", "n": 1, "b": true}',
      { a: 'use "strict"; x', n: 1, b: true },
    ],
    ['raw control characters', '{"a": "1\n2\t3\r4"}', { a: '1\n2\t3\r4' }],
    ['a backslash before a line break', '{"a": "1\\\n2"}', { a: '1\n2' }],
    ['escapes that are none', '{"a": "\\$5, it\\\'s"}', { a: "$5, it's" }],
    ['trailing commas', '{"a": [1, 2,],}', { a: [1, 2] }],
    ['single quotes and Python words', "{'a': True, 'b': None}", { a: true, b: null }],
    ['keys without quotes', '{a: 1, b: "x"}', { a: 1, b: 'x' }],
    ['comments', '{"a": 1, // "one"\n /* two */ "b": 2}', { a: 1, b: 2 }],
    ['words without quotes', '{path: a//b}', { path: 'a//b' }],
    ['missing brackets', '{"a": {"b": [1, 2', { a: { b: [1, 2] } }],
    ['brackets too many', '{"a": {"b": 1}}}', { a: { b: 1 } }],
  ])('reads %s', (_, text, expected) => {
    expect(parsed(text)).toEqual(expected)
  })

  it.each([
    ['a key that may be part of a string', '{"a": "value with ,"b": inside"}'],
    ['quotes that may end in two places', '{"a": "before "quoted" ,"b": "inside", "c": "x"}'],
    ['unquoted keys and unescaped quotes at once', '{a: "He said "hi" there"}'],
    ['words in brackets', '{not json at all}'],
    ['text', 'no JSON'],
  ])('does not guess at %s', (_, text) => {
    expect(parsed(text)).toBeUndefined()
  })

  it('reads JSON as JSON does', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parsed(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('reads any object as Python prints it', () => {
    const word = fc.stringMatching(/^[a-z ]{1,8}$/)
    const value = fc.dictionary(
      word,
      fc.oneof(word, fc.integer(), fc.constant(true), fc.constant(null), fc.array(fc.integer(), { maxLength: 3 })),
    )
    fc.assert(
      fc.property(value, (object) => {
        const python = JSON.stringify(object)
          .replaceAll('"', "'")
          .replaceAll(/:true/g, ': True')
          .replaceAll(/:null/g, ': None')
        expect(parsed(python)).toEqual(object)
      }),
    )
  })

  it('stops repairing when the message has used up its allowance', () => {
    const repairs = { failures: 300, mending: 20, lastResort: 0 }
    for (let turn = 0; turn < 10; turn++) parseJson('{"a": 1,}', repairs)
    expect(parseJson('{"a": 1,}', repairs)).toBeUndefined()
    expect(parseJson('{"a": 1}', repairs)).toMatchObject({ value: { a: 1 } })
  })
})
