import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evalGuard } from './eval-guard.ts'
import { guardTable } from './guard-table.ts'

const tools = [{ name: 'get_page', parameters: { type: 'object', properties: { id: { type: 'string' } } } }]
const call = '{"name": "get_page", "arguments": {"id": "7"}}'
const page = { name: 'get_page', arguments: { id: '7' } }
const records = [
  {
    id: 'found',
    kind: 'positive',
    format: 'hermes-tag',
    text: `<tool_call>${call}</tool_call>`,
    tools,
    expected_calls: [page],
  },
  {
    id: 'chunked',
    kind: 'positive',
    format: 'hermes-tag',
    text: `<tool_call>${call}`,
    tools,
    expected_calls: [page],
    chunks: ['<tool_', `call>${call}`],
  },
  {
    id: 'other-arguments',
    kind: 'positive',
    format: 'bare-json',
    text: call,
    tools,
    expected_calls: [{ ...page, arguments: { id: '8' } }],
  },
  {
    id: 'incomplete',
    kind: 'positive',
    format: 'bare-json',
    text: call,
    tools,
    expected_calls: [{ ...page, arguments: {} }],
    args_complete: false,
  },
  { id: 'missed', kind: 'positive', format: 'unheard-of', text: 'page 7!', tools, expected_calls: [page] },
  { id: 'prose', kind: 'negative', neg_class: 'clean', text: 'Page 7 is the home page.', tools },
  { id: 'alike', kind: 'negative', neg_class: 'lookalike', text: `"${call}"`, tools },
  { id: 'alarm', kind: 'negative', neg_class: 'lookalike', text: call, tools },
  { id: 'argued', kind: 'negative', neg_class: 'lookalike', disputed: true, text: call, tools },
]

describe('evalGuard', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'handrail-eval-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  function fileOf(lines: readonly unknown[]): string {
    const file = join(folder, `${lines.length}.jsonl`)
    writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
    return file
  }

  it('counts what is found by name and by arguments, per format, and false alarms apart from disputed ones', () => {
    const score = evalGuard([fileOf(records)])
    expect(score.formats).toEqual({
      'hermes-tag': { records: 2, byName: 2, byNameAndArguments: 2 },
      'bare-json': { records: 2, byName: 2, byNameAndArguments: 1 },
      'unheard-of': { records: 1, byName: 0, byNameAndArguments: 0 },
    })
    expect(score.positives).toEqual({ records: 5, byName: 4, byNameAndArguments: 3 })
    expect(score.clean).toEqual({ records: 1, falseAlarms: 0 })
    expect(score.lookalikes).toEqual({ records: 2, falseAlarms: 1 })
    expect(score.disputed).toEqual({ records: 1, falseAlarms: 1 })
    expect(score.streaming).toEqual({ records: 9, same: 9 })
    expect(score.bytesPerSecond.records).toBeGreaterThan(0)
    expect(score.misses.map((miss) => miss.id)).toEqual(['other-arguments', 'missed', 'alarm'])
    expect(guardTable(score)).toContain('hermes-tag                   2        100.0 %        100.0 %')
  })

  it('names the file and line of what is no record', () => {
    expect(() => evalGuard([fileOf([records[0], { id: 'x' }])])).toThrow(/2\.jsonl`, line 2/)
  })
})
