import { describe, expect, it } from 'vitest'
import { boundSources } from './sources.ts'

describe('boundSources', () => {
  it('leaves out doubles and empty ones', () => {
    expect(
      boundSources([{ table: 'a', id: '1' }, {}, { table: '' }, { id: '1', table: 'a' }, { table: 'a', id: '2' }]),
    ).toEqual([
      { table: 'a', id: '1' },
      { table: 'a', id: '2' },
    ])
  })

  it('keeps twenty, with bounded texts', () => {
    const many = Array.from({ length: 50 }, (_, index) => ({
      id: `${index}`,
      query: 'q'.repeat(10_000),
      chunkIds: Array(100).fill('c'),
    }))
    const bounded = boundSources(many)
    expect(bounded).toHaveLength(20)
    expect(bounded[0]?.query).toHaveLength(301)
    expect(bounded[0]?.chunkIds).toEqual(['c'])
  })

  it('never cuts a character in two', () => {
    expect(boundSources([{ url: `${'a'.repeat(299)}😀` }])[0]?.url?.isWellFormed()).toBe(true)
  })
})
