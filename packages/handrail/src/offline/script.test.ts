import { describe, expect, it } from 'vitest'
import { isScript, parseScript, runScript } from './script.ts'
import type { PastCall, PlannedCall } from './transcript.ts'

const made = (data: unknown): PastCall => ({
  toolName: 't',
  input: {},
  result: { success: true, data, message: 'Made' },
})

function steps(message: string, results: PastCall[][]): { calls: PlannedCall[][]; stopped: string | undefined } {
  const script = parseScript(message)
  if (typeof script === 'string') return { calls: [], stopped: script }
  const run = runScript(script)
  const calls: PlannedCall[][] = []
  for (let state = run.next(); ; state = run.next(results[calls.length - 1] ?? [])) {
    if (state.done) return { calls, stopped: state.value.stopped }
    calls.push(state.value)
  }
}

describe('script lines', () => {
  it('are the calls of one step for each paragraph', () => {
    const { calls } = steps('/a_b {"x":1}\n/c_d\n\n/e_f {\n "y": [true]\n}', [[made({}), made({})], [made({})]])
    expect(calls).toEqual([
      [
        { toolName: 'a_b', input: { x: 1 } },
        { toolName: 'c_d', input: {} },
      ],
      [{ toolName: 'e_f', input: { y: [true] } }],
    ])
  })

  it('take values from earlier calls, wherever they stand, with their type', () => {
    const { calls } = steps('/a_b {}\n\n/c_d {"id":"$1.id","deep":{"list":["$1.tags.0","$1.count","$1 is text"]}}', [
      [made({ id: 'x1', tags: ['red'], count: 3 })],
      [made({})],
    ])
    expect(calls[1]).toEqual([{ toolName: 'c_d', input: { id: 'x1', deep: { list: ['red', 3, '$1 is text'] } } }])
  })

  it.each([
    ['/a_b {}\n\n/c_d {"id":"$2.id"}', 'no call number 2'],
    ['/a_b {}\n/c_d {"id":"$1.id"}', 'no call number 1'],
    ['/a_b {}\n\n/c_d {"id":"$1.nothing"}', 'no such field'],
    ['/a_b {}\n\n/c_d {"id":"$1.constructor"}', 'no such field'],
  ])('stop where a reference leads nowhere: %j', (message, reason) => {
    const { calls, stopped } = steps(message, [[made({ id: 'x' })]])
    expect(stopped).toContain(reason)
    expect(calls.flat().map(({ toolName }) => toolName)).not.toContain('c_d')
  })

  it.each(['/a_b {x: 1}', '/a_b [1]', '/a_b {"x":1}\n\nand then some words', '/a_b {"x":1'])(
    'that cannot be read call nothing: %j',
    (message) => {
      const { calls, stopped } = steps(message, [])
      expect(calls).toEqual([])
      expect(stopped).toContain('Nothing was called')
    },
  )

  it('are told from words', () => {
    expect(isScript('/list_projects {}')).toBe(true)
    expect(isScript('Please run /list_projects {}')).toBe(false)
    expect(isScript('/ delete everything')).toBe(false)
  })
})
