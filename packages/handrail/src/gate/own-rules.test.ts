import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ForbiddenError } from '../errors/forbidden-error.ts'
import { definePack } from './define-pack.ts'
import { approvalOf, codeOf, gateBench, probe } from './testing/gate-bench.ts'

/** A pack whose own rule bars a text, from the start or from later on. */
function barring(text: string) {
  const rule = { bars: true }
  const tool = probe({ kind: 'delete' })
  const pack = definePack({
    name: 'ruled',
    title: 'Ruled',
    description: 'A pack with rules of its own',
    language: 'en',
    tools: [tool],
    scopeSchema: z.strictObject({}),
    roles: { owner: 'all' },
    services: { readers: () => ({}), writers: () => ({}) },
    authorize({ input }) {
      if (rule.bars && typeof input === 'object' && input !== null && 'text' in input && input.text === text) {
        throw new ForbiddenError('this text is barred')
      }
    },
    instructions: () => '',
  })
  const bench = gateBench([tool], { packs: [pack] })
  return { ...bench, rule, tool }
}

describe('a pack’s own rules', () => {
  it('let a call ask, and refuse one they bar before anyone is asked', async () => {
    const { call } = barring('barred')
    expect(approvalOf(await call({ text: 'fine' }))).toBeTruthy()
    expect(codeOf(await call({ text: 'barred' }))).toBe('FORBIDDEN')
  })

  it('hold for arguments that a person edited while approving', async () => {
    const { call, gate, as, tool } = barring('barred')
    const approvalId = approvalOf(await call({ text: 'fine' }))
    const decided = await gate.decide({
      approvalId,
      decision: 'approve',
      principal: as('alice'),
      input: { text: 'barred' },
    })
    expect(decided).toMatchObject({ kind: 'decided', call: { status: 'refused', result: { code: 'FORBIDDEN' } } })
    expect(tool.starts).toBe(0)
  })

  it('hold as they are when an approved call is carried out', async () => {
    const { call, gate, as, tool, rule } = barring('barred')
    rule.bars = false
    const approvalId = approvalOf(await call({ text: 'barred' }))
    rule.bars = true
    const decided = await gate.decide({ approvalId, decision: 'approve', principal: as('alice') })
    expect(decided).toMatchObject({ kind: 'decided', call: { status: 'refused' } })
    expect(tool.starts).toBe(0)
  })
})
