import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvCell, forPerson, plainText, visible, withoutHidden } from './for-person.ts'

describe('visible', () => {
  it.each([
    ['a right-to-left override', 'pay\u202eexe.pdf', 'pay⟨U+202E⟩exe.pdf'],
    ['a zero-width space', 'pay\u200bpal', 'pay⟨U+200B⟩pal'],
    ['a joiner between letters', 'pay\u200dpal', 'pay⟨U+200D⟩pal'],
    ['tag characters', 'hi\u{e0068}\u{e0069}', 'hi⟨U+E0068⟩⟨U+E0069⟩'],
    ['isolates', '\u2066x\u2069', '⟨U+2066⟩x⟨U+2069⟩'],
    ['a soft hyphen', 'pass\u00adword', 'pass⟨U+00AD⟩word'],
    ['a Hangul filler', 'a\u3164b', 'a⟨U+3164⟩b'],
    ['NUL and BEL', 'a\u0000b\u0007', 'a⟨U+0000⟩b⟨U+0007⟩'],
    ['a carriage return', 'safe\rreal', 'safe⟨U+000D⟩real'],
    ['C1 controls', 'a\u0085b', 'a⟨U+0085⟩b'],
    ['a line separator', 'a\u2028b', 'a⟨U+2028⟩b'],
    ['a byte order mark', '\ufeffa', '⟨U+FEFF⟩a'],
    ['a variation selector beyond the emoji one', 'a\ufe01b\u{e0101}', 'a⟨U+FE01⟩b⟨U+E0101⟩'],
  ])('shows %s', (_, text, expected) => {
    expect(visible(text)).toBe(expected)
  })

  it.each(['Grüße, naïve café', 'שלום', 'می‌خواهم', 'क्‍ष', '👩‍👩‍👧', '❤️ 👍🏽', 'a\tb\nc', '日本語'])(
    'leaves %j as it is',
    (text) => {
      expect(visible(text)).toBe(text)
    },
  )

  it.each([
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['8-bit CSI', '\u009b31mred', 'red'],
    ['a cursor move', 'good\u001b[2K\u001b[1Gbad', 'goodbad'],
    ['a link', '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u001b\\', 'click'],
    ['a clipboard write', '\u001b]52;c;ZXZpbA==\u0007x', 'x'],
    ['a title', '\u001b]0;title\u0007x', 'x'],
    ['a device control string', '\u001bPq#0\u001b\\x', 'x'],
    ['a reset', '\u001bcx', 'x'],
    ['a lone escape', 'x\u001b', 'x'],
  ])('takes %s out', (_, text, expected) => {
    expect(visible(text)).toBe(expected)
  })

  it('does not let an unended sequence hide what follows', () => {
    expect(visible('\u001b]0;still here')).toContain('still here')
  })

  it('leaves nothing that hides, in any text, and nothing more to do', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = visible(text)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
        const hides = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u
        expect(shown).not.toMatch(hides)
        expect(withoutHidden(withoutHidden(text))).toBe(withoutHidden(text))
      }),
    )
  })

  it.each(['\u001b[', '\u001b]', '\u001b]0;x', '\u009b1;', '\u200d', '\u001b', '\u202e'])(
    'answers on a megabyte of %j',
    (unit) => {
      expect(withoutHidden(unit.repeat(Math.ceil(1_000_000 / unit.length)))).toBeTypeOf('string')
    },
    5_000,
  )
})

describe('forPerson', () => {
  it('shows hidden characters in texts and field names, at every depth', () => {
    expect(forPerson({ 'to\u202e': ['a\u200bb', { deep: '\u001b[31mx' }] })).toEqual({
      'to⟨U+202E⟩': ['a⟨U+200B⟩b', { deep: 'x' }],
    })
  })

  it('returns what hides nothing as the same reference', () => {
    const value = { to: ['anna', 1, null] }
    expect(forPerson(value)).toBe(value)
  })
})

describe('plainText', () => {
  it('is one line that forges no other', () => {
    expect(plainText('done\r\n\u001b[31m2026-01-01 INFO paid\u001b[0m')).toBe('done 2026-01-01 INFO paid')
    expect(plainText('a\u2028b\u0085c\td')).toBe('a b c d')
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(plainText(text)).not.toMatch(/[\r\n\u0085\u2028\u2029]/)
      }),
    )
  })
})

describe('csvCell', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['a;b', '"a;b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', `"'=1+1"`],
    ['+49 30', `"'+49 30"`],
    ['-cmd', `"'-cmd"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\t=1', `"'\t=1"`],
    [' =1', `"' =1"`],
    ['"=1', `"'""=1"`],
    ['＝1+1', `"'＝1+1"`],
    ['-5', '-5'],
    ['+5.25', '+5.25'],
    [-5, '-5'],
    [null, ''],
    [undefined, ''],
    [true, 'true'],
    [{ a: 1 }, '"{""a"":1}"'],
    ['a\u202eb', 'a⟨U+202E⟩b'],
  ])('writes %j as %j', (value, expected) => {
    expect(csvCell(value)).toBe(expected)
  })
})
