import { describe, expect, it } from 'vitest'
import { NotFoundError } from '../errors/not-found-error.ts'
import { approvalOf, gateBench, probe } from './testing/gate-bench.ts'

/** A deletion whose preview shows what its argument points at. */
function deletion(show: (text: string) => unknown) {
  const tool = probe({
    kind: 'delete',
    execute: ({ input }) => input,
    preview: ({ input }: { input: { text: string } }) => ({ view: show(input.text), basis: 'same for all' }),
  })
  return { tool, ...gateBench([tool]) }
}

describe('arguments that a person edits while approving', () => {
  it('run when the preview they saw still shows what would happen', async () => {
    const { call, gate, as, tool } = deletion(() => 'one page')
    const approvalId = approvalOf(await call({ text: 'a' }))
    const decided = await gate.decide({ approvalId, decision: 'approve', principal: as('alice'), input: { text: 'b' } })
    expect(decided).toMatchObject({ call: { status: 'done', result: { data: { text: 'b' } } } })
    expect(tool.starts).toBe(1)
  })

  it('are shown and asked about once more when they point at something else', async () => {
    const { call, gate, as, tool, store } = deletion((text) => `the page ${text}`)
    const approvalId = approvalOf(await call({ text: 'a' }))
    const principal = as('alice')
    const decided = await gate.decide({ approvalId, decision: 'approve', principal, input: { text: 'b' } })
    expect(decided).toMatchObject({ call: { status: 'awaiting_approval', approval: { status: 'pending' } } })
    expect(tool.starts).toBe(0)
    const renewed = decided.kind === 'decided' ? (decided.call.approval?.approvalId ?? '') : ''
    expect(await store.approvals.get('acme', renewed)).toMatchObject({ status: 'pending', preview: 'the page b' })

    const again = await gate.decide({ approvalId: renewed, decision: 'approve', principal })
    expect(again).toMatchObject({ call: { status: 'done', result: { data: { text: 'b' } } } })
    expect(tool.starts).toBe(1)
  })

  it('that point at nothing are refused at once, and leave the approval open', async () => {
    const { call, gate, as, tool, store } = deletion((text) => {
      if (text === 'gone') throw new NotFoundError('The page gone')
      return 'one page'
    })
    const approvalId = approvalOf(await call({ text: 'a' }))
    const decided = await gate.decide({
      approvalId,
      decision: 'approve',
      principal: as('alice'),
      input: { text: 'gone' },
    })
    expect(decided).toMatchObject({ kind: 'refused', code: 'NOT_FOUND' })
    expect(await store.approvals.get('acme', approvalId)).toMatchObject({ status: 'pending' })
    expect(tool.starts).toBe(0)
  })
})
