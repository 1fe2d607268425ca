import { describe, expect, it } from 'vitest'
import type { PackPhrases } from '../pack/pack.ts'
import { resolveName } from './resolve-names.ts'

const phrases: PackPhrases = { nouns: { system: ['system', 'game system'] } }
const hint = { listTool: 'list_systems', category: 'system', nameFields: ['name', 'slug'], idField: 'id' }
const rows = ['Combat System', 'Combat AI', 'Loot & Rewards', 'Old Prototype', 'World Map Editor', 'Fog of War'].map(
  (name, index) => ({ id: `s${index}`, name, slug: name.toLowerCase().replaceAll(' ', '-') }),
)
const found = (said: string, strict = true) => {
  const result = resolveName(said, rows, hint, phrases, strict)
  return result.kind === 'one' ? result.row.name : result.kind
}

describe('resolveName', () => {
  it.each([
    ['combat', 'Combat System'],
    ['COMBAT SYSTEM', 'Combat System'],
    ['old prototype system', 'Old Prototype'],
    ['old-prototype', 'Old Prototype'],
    ['loot', 'Loot & Rewards'],
    ['fog of war', 'Fog of War'],
    ['s3', 'Old Prototype'],
  ])('takes %j for %s', (said, expected) => {
    expect(found(said)).toBe(expected)
  })

  it('takes no small part of a name for the whole when it is for a write', () => {
    expect(found('map')).toBe('none')
    expect(found('map', false)).toBe('World Map Editor')
  })

  it('forgives a slip of the keyboard for a read only', () => {
    expect(found('old prototpye', false)).toBe('Old Prototype')
    expect(found('old prototpye')).toBe('none')
  })

  it('names the nearest when nothing fits, and all that fit equally', () => {
    expect(resolveName('combat tuning', rows, hint, phrases, true)).toMatchObject({
      kind: 'none',
      nearest: [{ name: 'Combat System' }, { name: 'Combat AI' }],
    })
    const twins = [...rows, { id: 's9', name: 'Combat System', slug: 'combat-2' }]
    expect(resolveName('combat', twins, hint, phrases, true).kind).toBe('several')
  })
})
