import { describe, expect, it } from 'vitest'
import type { Field } from './fields.ts'
import { matchPattern, type PatternFrame } from './match-pattern.ts'
import { parsePattern } from './pattern.ts'
import { tokenise } from './tokenise.ts'

const field = (name: string, kind: Field['kind'], choices: string[] = []): Field => ({
  name,
  kind,
  required: false,
  words: [name],
  choices: choices.map((value) => ({ value, words: [value] })),
  maximum: undefined,
})
const frame: PatternFrame = {
  category: 'book',
  fields: new Map(
    [field('name', 'name'), field('shelf', 'choice', ['top', 'low']), field('note', 'text')].map((each) => [
      each.name,
      each,
    ]),
  ),
  nouns: new Map([
    ['book', [['book'], ['books']]],
    ['book!', [['book']]],
    ['book*', [['books']]],
  ]),
  details: [parsePattern('[and] on the <shelf> shelf'), parsePattern('with note <note>')],
}
const slots = (pattern: string, message: string) =>
  matchPattern(parsePattern(pattern), tokenise(message), frame).map((match) =>
    Object.fromEntries(Object.entries(match.slots).map(([name, slot]) => [name, slot.kind === 'value' && slot.value])),
  )

describe('matchPattern', () => {
  it.each([
    ['add (a|the) #book called <name> ~', 'add a book called Dune on the top shelf', [{ name: 'Dune', shelf: 'top' }]],
    ['add a <name+>', 'add a cook book', [{ name: 'Cook Book' }]],
    ['shelve [the] <name> {shelf=low}', 'shelve the Dune', [{ name: 'Dune', shelf: 'low' }]],
    ['add <name> ~', 'add Dune with note about sand and worms', [{ name: 'Dune', note: 'about sand and worms' }]],
    ['list #book*', 'list books', [{}]],
  ])('reads %s in %j', (pattern, message, expected) => {
    expect(slots(pattern, message)).toEqual(expected)
  })

  it.each([
    ['add a #book called <name> ~', 'add a book called Dune tomorrow'],
    ['add a #book called <name> ~', 'add a book called Dune if it is missing'],
    ['add a #book called <name> ~', 'add a book called Dune and Emma'],
    ['add a #book called <name> ~', 'add a book called Dune - just kidding'],
    ['list #book*', 'list book'],
    ['drop <name!>', 'drop Dune'],
    ['drop <name^>', 'drop it all'],
  ])('does not read %s in %j', (pattern, message) => {
    expect(slots(pattern, message)).toEqual([])
  })

  it('says where a pattern is not well formed', () => {
    expect(() => parsePattern('add (a|the')).toThrow('The pattern `add (a|the` is not well formed')
    expect(() => matchPattern(parsePattern('@nothing'), tokenise('x'), frame)).toThrow('no word class `@nothing`')
  })
})
