import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CallScanner } from './call-scanner.ts'

const tools = [{ name: 'get_page' }, { name: 'delete_page' }]

function textOf(parts: ReturnType<CallScanner['push']>): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

describe('CallScanner', () => {
  it('hands ordinary prose on at once, or with the next piece', () => {
    const word = fc.constantFrom(
      'Here',
      ' is',
      ' page',
      ' 7',
      ':',
      '\n',
      '\n\n- ',
      '**so**',
      ' [1]',
      ' a < b',
      ' {x}',
      ' `id`',
      '\n```js\n',
      'x()',
      ' <b>',
      '.',
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (pieces) => {
        const scanner = new CallScanner({ tools })
        let given = ''
        let before = ''
        let received = ''
        for (const piece of pieces) {
          received += textOf(scanner.push(piece))
          given += piece
          expect(received.length).toBeGreaterThanOrEqual(before.length)
          expect(given.startsWith(received)).toBe(true)
          before = given
        }
        expect(received + textOf(scanner.finish())).toBe(given)
      }),
    )
  })

  it('holds back what may become a call, and releases it the moment it cannot', () => {
    const scanner = new CallScanner({ tools })
    expect(textOf(scanner.push('Well <tool_'))).toBe('Well ')
    expect(textOf(scanner.push('call> and'))).toBe('<tool_call> and')
    expect(textOf(scanner.push('\n{"name": "get_'))).toBe('\n')
    expect(textOf(scanner.push('user", '))).toBe('{"name": "get_user", ')
    expect(textOf(scanner.push('"arguments": {}}'))).toBe('"arguments": {}}')
    expect(textOf(scanner.push('\nget_'))).toBe('\n')
    expect(textOf(scanner.push('page is a tool'))).toBe('get_page is a tool')
  })

  it('reads each part of hostile input a bounded number of times', () => {
    const hostile = [
      '{"name":',
      '{"name":"get_page","arguments":',
      '[',
      '[{',
      '<tool_call>{"name":"get_page","arguments":{"a":"',
      '<tool_call>',
      '[get_page(',
      '\nget_page(',
    ]
    for (const scrap of hostile) {
      const text = scrap.repeat(Math.ceil(200_000 / scrap.length))
      const scanner = new CallScanner({ tools })
      const parts = [...scanner.push(text), ...scanner.finish()]
      expect(textOf(parts)).toBe(text)
      expect(scanner.charactersRead).toBeLessThan(8 * text.length)
    }
  })
})
