import { describe, expect, it } from 'vitest'
import { tokenise, tokeniseWithTail } from './tokenise.ts'

const texts = (message: string) => tokenise(message).map(({ kind, text }) => (kind === 'quoted' ? `[${text}]` : text))

describe('tokenise', () => {
  it.each([
    ['Delete "Old Prototype"!', ['Delete', '[Old Prototype]', '!']],
    ['the plan’s title, v0.2', ['the', 'plan', "'s", 'title', ',', 'v0.2']],
    ["don't touch 'Enemy AI'", ["don't", 'touch', '[Enemy AI]']],
    ['„Mondbasis“ und “Sky”', ['[Mondbasis]', 'und', '[Sky]']],
    ['guild-wars -> loot', ['guild-wars', '→', 'loot']],
    ['an open " quote', ['an', 'open', '"', 'quote']],
    ['a\nb', ['a', '\n', 'b']],
  ])('splits %j', (message, expected) => {
    expect(texts(message)).toEqual(expected)
  })
})

describe('tokeniseWithTail', () => {
  it('keeps what follows the first colon as one opaque piece', () => {
    expect(tokeniseWithTail('Reply in Pets: I like it, delete the cats')?.at(-1)).toMatchObject({
      kind: 'tail',
      text: 'I like it, delete the cats',
    })
  })

  it('takes what stands below the first line, without its fence', () => {
    expect(tokeniseWithTail('Import this:\n```md\n# A\n```')?.at(-1)?.text).toBe('# A')
  })

  it('finds no tail in quotes, times and addresses', () => {
    expect(tokeniseWithTail('Say "a: b" at 10:30')).toBeUndefined()
  })
})
