import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wireNames } from './wire-names.ts'

describe('wireNames', () => {
  it('prefixes with the pack where names clash, and only there', () => {
    const names = wireNames([
      { pack: 'cms', name: 'list_threads' },
      { pack: 'courier', name: 'list_threads' },
      { pack: 'cms', name: 'get_page' },
    ])
    expect(names.nameOf({ pack: 'cms', name: 'list_threads' })).toBe('cms__list_threads')
    expect(names.nameOf({ pack: 'courier', name: 'list_threads' })).toBe('courier__list_threads')
    expect(names.nameOf({ pack: 'cms', name: 'get_page' })).toBe('get_page')
    expect(names.toolOf('courier__list_threads')).toEqual({ pack: 'courier', name: 'list_threads' })
  })

  it('finds nothing for a name that is not in the list', () => {
    const names = wireNames([{ pack: 'cms', name: 'get_page' }])
    for (const name of ['cms__get_page', 'GET_PAGE', 'constructor', '']) expect(names.toolOf(name)).toBeUndefined()
    expect(() => names.nameOf({ pack: 'courier', name: 'get_page' })).toThrow('not in this list')
  })

  it('takes names that differ only in case for a clash', () => {
    const names = wireNames([
      { pack: 'a', name: 'getPage' },
      { pack: 'b', name: 'getpage' },
    ])
    expect(names.nameOf({ pack: 'a', name: 'getPage' })).toBe('a__getPage')
  })

  it('lets no made-up name take a real one away', () => {
    const names = wireNames([
      { pack: 'a', name: 'x' },
      { pack: 'b', name: 'x' },
      { pack: 'c', name: 'a__x' },
    ])
    expect(names.nameOf({ pack: 'c', name: 'a__x' })).toBe('a__x')
    expect(names.nameOf({ pack: 'a', name: 'x' })).toMatch(/^a__x_[0-9a-f]{8}$/)
  })

  it('cuts a name that is too long and keeps it apart with a digest', () => {
    const name = `list_${'x'.repeat(59)}`
    const names = wireNames([
      { pack: 'first', name },
      { pack: 'second', name },
    ])
    expect(names.nameOf({ pack: 'first', name })).toHaveLength(64)
    expect(names.toolOf(names.nameOf({ pack: 'second', name }))).toEqual({ pack: 'second', name })
  })

  it('gives every tool a name of its own that all providers take and that leads back, in any order of the list', () => {
    const word = fc.constantFrom('a', 'A', 'b', 'x', 'a__x', 'über', 'long'.repeat(16), '', 'c.d')
    const list = fc.uniqueArray(fc.record({ pack: word, name: word }), { selector: (tool) => JSON.stringify(tool) })
    fc.assert(
      fc.property(list, (tools) => {
        const names = wireNames(tools)
        const reversed = wireNames([...tools].reverse())
        const given = tools.map((tool) => names.nameOf(tool))
        expect(new Set(given.map((name) => name.toLowerCase())).size).toBe(tools.length)
        for (const tool of tools) {
          expect(names.nameOf(tool)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
          expect(names.toolOf(names.nameOf(tool))).toEqual(tool)
          expect(reversed.nameOf(tool)).toBe(names.nameOf(tool))
        }
      }),
    )
  })
})
