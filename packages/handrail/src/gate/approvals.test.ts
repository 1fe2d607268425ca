import type { ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import type { Policy } from '../pack/policy.ts'
import { asAgent, type Principal } from '../principal/principal.ts'
import { createMemoryStore } from '../store/memory-store.ts'
import type { Tool } from '../tool/tool.ts'
import type { GateOptions } from './gate.ts'
import { approvalOf, codeOf, deferred, type GateBench, gateBench, probe } from './testing/gate-bench.ts'

const asking = (changes: Parameters<typeof probe>[0] = {}) => probe({ kind: 'delete', ...changes })

/** A bench with one tool that asks, and one call of it that waits. */
async function waiting(changes: Parameters<typeof probe>[0] = {}, options: Partial<GateOptions> = {}) {
  const tool = asking(changes)
  const bench = gateBench([tool], options)
  const outcome = await bench.call({ text: 'a' }, { idempotencyKey: 'k' })
  const approvalId = approvalOf(outcome)
  return {
    ...bench,
    tool,
    callId: outcome.record.callId,
    approvalId,
    approve: (principal: Principal = bench.as('alice'), input?: unknown) =>
      bench.gate.decide({ approvalId, decision: 'approve', principal, ...(input === undefined ? {} : { input }) }),
    decline: (principal: Principal = bench.as('alice'), reason = 'no need') =>
      bench.gate.decide({ approvalId, decision: 'decline', principal, reason }),
  }
}

describe('an approval', () => {
  it('shows reason, preview and arguments, and carries out exactly that call, once', async () => {
    const { approve, tool, events, callId, store, approvalId } = await waiting({
      execute: ({ input }) => input,
      preview: () => ({ goes: 'a' }),
    })
    const approval = await store.approvals.get('acme', approvalId)
    expect(approval).toMatchObject({ status: 'pending', preview: { goes: 'a' }, form: 'card', callId })
    expect(approval?.reason).toContain('deletes')
    const decided = await approve()
    expect(decided).toMatchObject({
      kind: 'decided',
      approval: { status: 'used' },
      call: { status: 'done', result: { success: true, data: { text: 'a' } } },
    })
    expect(tool.starts).toBe(1)
    expect(await events(callId)).toEqual(['asked', 'decided', 'started', 'ended'])
  })

  it('answers the same decision by the same person alike, and another one with the first', async () => {
    const { approve, decline, as, tool } = await waiting()
    const first = await approve()
    expect(await approve()).toEqual(first)
    expect(await decline()).toMatchObject({ kind: 'conflict', approval: { status: 'used' }, call: { status: 'done' } })
    expect(await approve({ ...as('bob'), roles: ['owner'] })).toMatchObject({ kind: 'conflict' })
    expect(tool.starts).toBe(1)
  })

  it('that is declined carries nothing out, tells the model why, and stays declined', async () => {
    const { decline, approve, tool, call, events, callId } = await waiting()
    expect(await decline()).toMatchObject({ kind: 'decided', call: { status: 'declined' } })
    const again = await call({ text: 'a' }, { idempotencyKey: 'k' })
    expect(again.result).toMatchObject({ code: 'DECLINED', error: expect.stringContaining('no need') })
    expect(await approve()).toMatchObject({ kind: 'conflict', approval: { status: 'declined' } })
    expect(tool.starts).toBe(0)
    expect(await events(callId)).toEqual(['asked', 'decided', 'ended'])
  })

  it.each<[string, (bench: GateBench) => Principal, string]>([
    ['the agent that asked', (bench) => asAgent(bench.as('alice')), 'FORBIDDEN'],
    ['a program of the person', (bench) => ({ ...bench.as('alice'), actor: 'service' }), 'FORBIDDEN'],
    ['a key without the right to approve', (bench) => ({ ...bench.as('alice'), mayApprove: false }), 'FORBIDDEN'],
    ['a colleague who is no owner', (bench) => bench.as('bob'), 'FORBIDDEN'],
    ['a role that may not call the tool', (bench) => bench.as('carol'), 'FORBIDDEN'],
    ['the owner of another workspace', (bench) => bench.as('mallory'), 'NOT_FOUND'],
    ['a namesake in another workspace', (bench) => ({ ...bench.as('alice'), tenantId: 'other' }), 'NOT_FOUND'],
  ])('cannot be given by %s', async (_, who, code) => {
    const bench = await waiting()
    expect(await bench.approve(who(bench))).toMatchObject({ kind: 'refused', code })
    expect(await bench.decline(who(bench))).toMatchObject({ kind: 'refused', code })
    expect((await bench.store.approvals.get('acme', bench.approvalId))?.status).toBe('pending')
    expect(bench.tool.starts).toBe(0)
  })

  it('that nobody asked for runs nothing', async () => {
    const { gate, as, tool } = await waiting()
    for (const approvalId of ['', 'forged', '__proto__', '00000000-0000-7000-8000-000000000000']) {
      const decided = await gate.decide({ approvalId, decision: 'approve', principal: as('alice') })
      expect(decided).toMatchObject({ kind: 'refused', code: 'NOT_FOUND' })
    }
    expect(tool.starts).toBe(0)
  })

  it("can be given by an owner in the requester's place", async () => {
    const tool = asking()
    const { call, gate, as } = gateBench([tool])
    const approvalId = approvalOf(await call({ text: 'a' }, { by: 'bob' }))
    const decided = await gate.decide({ approvalId, decision: 'approve', principal: as('alice') })
    expect(decided).toMatchObject({ kind: 'decided', call: { status: 'done', principal: { userId: 'bob' } } })
  })

  it('is for one call: another with the same arguments asks anew', async () => {
    const { approve, call, tool, approvalId } = await waiting()
    await approve()
    const next = await call({ text: 'a' }, { idempotencyKey: 'k2' })
    expect(approvalOf(next)).not.toBe(approvalId)
    expect(tool.starts).toBe(1)
  })

  it('given to edited arguments runs those, recorded as what they are', async () => {
    const { approve, tool, store, callId } = await waiting({ execute: ({ input }) => input })
    expect(await approve(undefined, { text: 'b' })).toMatchObject({ call: { result: { data: { text: 'b' } } } })
    expect(tool.starts).toBe(1)
    const approvalDigest = (await store.approvals.list('acme', {})).items[0]?.digest
    expect((await store.calls.get('acme', callId))?.payload?.digest).toBe(approvalDigest)
  })

  it('is not spent on edited arguments that are not valid', async () => {
    const { approve, tool } = await waiting()
    expect(await approve(undefined, { text: '' })).toMatchObject({ kind: 'refused', code: 'VALIDATION' })
    expect(tool.starts).toBe(0)
    expect(await approve()).toMatchObject({ kind: 'decided', call: { status: 'done' } })
  })

  it('of other arguments than it was given for runs nothing: edited behind its back', async () => {
    const memory = createMemoryStore()
    const bench = await waiting({}, { store: memory })
    const stored = await memory.calls.get('acme', bench.callId)
    const tampered = {
      ...memory,
      calls: {
        ...memory.calls,
        async get(tenantId: string, callId: string) {
          const call = await memory.calls.get(tenantId, callId)
          if (call?.callId !== stored?.callId || !call?.payload) return call
          return { ...call, payload: { ...call.payload, input: { text: 'evil' }, digest: 'f'.repeat(64) } }
        },
      },
    }
    const gate = gateBench([bench.tool], { store: tampered }).gate
    await gate.decide({ approvalId: bench.approvalId, decision: 'approve', principal: bench.as('alice') })
    expect(bench.tool.starts).toBe(0)
  })

  it('whose time to decide is over runs nothing', async () => {
    const { approve, tool, call } = await waiting({}, { limits: { decideWithinMs: -1 } })
    expect(await approve()).toMatchObject({
      kind: 'conflict',
      approval: { status: 'expired' },
      call: { status: 'expired' },
    })
    expect(codeOf(await call({ text: 'a' }, { idempotencyKey: 'k' }))).toBe('EXPIRED')
    expect(tool.starts).toBe(0)
  })

  it('expires by itself too, when somebody looks after it', async () => {
    const { gate, tool, as, callId } = await waiting({}, { limits: { decideWithinMs: -1 } })
    expect(await gate.reconcile()).toBe(1)
    expect(await gate.getCall(as('alice'), callId)).toMatchObject({
      status: 'expired',
      approval: { status: 'expired' },
    })
    expect(await gate.reconcile()).toBe(0)
    expect(tool.starts).toBe(0)
  })

  it('whose time to execute is over runs nothing', async () => {
    const { approve, tool } = await waiting({}, { limits: { executeWithinMs: -1 } })
    const decided = await approve()
    expect(decided).not.toMatchObject({ call: { status: 'done' } })
    expect(tool.starts).toBe(0)
  })

  it('that was decided by a process which then died is carried out by another, once', async () => {
    const store = createMemoryStore()
    const { approvalId, tool, as, gate, callId } = await waiting({}, { store })
    const decision = { decision: 'approve', by: as('alice'), reason: undefined, editedDigest: undefined } as const
    await store.approvals.decide('acme', approvalId, decision, 60_000)
    expect(tool.starts).toBe(0)
    expect(await gate.reconcile()).toBe(1)
    expect(await gate.getCall(as('alice'), callId)).toMatchObject({ status: 'done' })
    expect(await gate.reconcile()).toBe(0)
    expect(tool.starts).toBe(1)
  })
})

describe('what was approved and is not so any more', () => {
  it('runs nothing when the person has lost the role meanwhile, or is gone', async () => {
    for (const now of [{ roles: ['reader'] }, { roles: [] }, undefined]) {
      const bench = await waiting(
        {},
        {
          currentPrincipal: (principal) => now && { ...principal, ...now },
        },
      )
      expect(await bench.approve()).toMatchObject({ call: { status: 'refused', result: { code: 'FORBIDDEN' } } })
      expect(bench.tool.starts).toBe(0)
    }
  })

  it('runs nothing when the policy refuses by now', async () => {
    let verdict: Policy = ({ byDefault }) => byDefault
    const bench = await waiting({}, { policy: (context) => verdict(context) })
    verdict = () => ({ verdict: 'refuse', reason: 'closed for the holidays' })
    expect(await bench.approve()).toMatchObject({ call: { status: 'refused', result: { code: 'REFUSED' } } })
    expect(bench.tool.starts).toBe(0)
  })

  it('runs nothing when the policy throws by now', async () => {
    let verdict: Policy = ({ byDefault }) => byDefault
    const bench = await waiting({}, { policy: (context) => verdict(context) })
    verdict = () => {
      throw new Error('away')
    }
    expect(await bench.approve()).toMatchObject({ call: { status: 'refused' } })
    expect(bench.tool.starts).toBe(0)
  })

  it('is asked again when the policy is stricter by now', async () => {
    let verdict: Policy = ({ byDefault }) => byDefault
    const bench = await waiting({}, { policy: (context) => verdict(context) })
    verdict = () => ({ verdict: 'ask', reason: 'two pairs of eyes', approvers: { rule: 'four_eyes' } })
    expect(await bench.approve()).toMatchObject({ call: { status: 'awaiting_approval' } })
    expect(bench.tool.starts).toBe(0)
    await expectAskedAgain(bench, bench.as('bob'), bench.as('alice'))
  })

  it('is asked again when the tool has another version by now', async () => {
    const store = createMemoryStore()
    const old = await waiting({}, { store })
    const changed = asking({ version: 2 })
    const bench = gateBench([changed], { store })
    const decided = await bench.gate.decide({
      approvalId: old.approvalId,
      decision: 'approve',
      principal: bench.as('alice'),
    })
    expect(decided).toMatchObject({ call: { status: 'awaiting_approval' } })
    expect([old.tool.starts, changed.starts]).toEqual([0, 0])
    await expectAskedAgain({ ...bench, tool: changed, approvalId: old.approvalId }, bench.as('alice'))
  })

  it('is asked again when what the preview was based on has changed', async () => {
    let basis = 1
    const bench = await waiting({ preview: () => ({ view: { rows: basis }, basis }) })
    basis = 2
    expect(await bench.approve()).toMatchObject({ call: { status: 'awaiting_approval' } })
    expect(bench.tool.starts).toBe(0)
    await expectAskedAgain(bench, bench.as('alice'))
  })

  it('is asked again once, however often the old approval is given', async () => {
    let basis = 1
    const bench = await waiting({ preview: () => ({ view: basis, basis }) })
    basis = 2
    await Promise.all(Array.from({ length: 20 }, () => bench.approve()))
    const { items } = await bench.store.approvals.list('acme', {})
    expect(items.map(({ status }) => status).sort()).toEqual(['pending', 'withdrawn'])
    expect(await bench.events(bench.callId)).toEqual(['asked', 'decided', 'asked'])
    expect(bench.tool.starts).toBe(0)
  })

  it('fails when the thing is gone by now', async () => {
    let isThere = true
    const bench = await waiting({
      preview() {
        if (!isThere) throw new (class extends Error {})('gone')
        return { goes: 'a' }
      },
    })
    isThere = false
    // A preview that breaks decides nothing: the approval was for the call, and the tool itself will say what is missing.
    expect(await bench.approve()).toMatchObject({ kind: 'decided' })
  })

  /** The old approval is good for nothing; the new one, given by who may, carries the call out once. */
  async function expectAskedAgain(
    bench: GateBench & { tool: { starts: number }; approvalId: string },
    decider: Principal,
    mayNot?: Principal,
  ) {
    const { items } = await bench.store.approvals.list('acme', { status: 'pending' })
    expect(items).toHaveLength(1)
    const approvalId = items[0]?.approvalId ?? ''
    expect(approvalId).not.toBe(bench.approvalId)
    expect((await bench.store.approvals.get('acme', bench.approvalId))?.status).toBe('withdrawn')
    if (mayNot) {
      const refused = await bench.gate.decide({ approvalId, decision: 'approve', principal: mayNot })
      expect(refused).toMatchObject({ kind: 'refused', code: 'FORBIDDEN' })
    }
    const old = await bench.gate.decide({ approvalId: bench.approvalId, decision: 'approve', principal: decider })
    expect(old).not.toMatchObject({ call: { status: 'done' } })
    expect(bench.tool.starts).toBe(0)
    const decided = await bench.gate.decide({ approvalId, decision: 'approve', principal: decider })
    expect(decided).toMatchObject({ kind: 'decided', call: { status: 'done' } })
    expect(bench.tool.starts).toBe(1)
  }
})

describe('a policy can say who decides', () => {
  it('four eyes: anyone who may but the requester', async () => {
    const bench = await waiting(
      {},
      {
        policy: () => ({ verdict: 'ask', reason: 'two pairs of eyes', approvers: { rule: 'four_eyes' } }),
      },
    )
    expect(await bench.approve()).toMatchObject({ kind: 'refused', code: 'FORBIDDEN' })
    expect(await bench.approve(bench.as('carol'))).toMatchObject({ kind: 'refused', code: 'FORBIDDEN' })
    expect(await bench.approve(asAgent(bench.as('bob')))).toMatchObject({ kind: 'refused', code: 'FORBIDDEN' })
    expect(await bench.approve(bench.as('bob'))).toMatchObject({ kind: 'decided', call: { status: 'done' } })
  })

  it('a role: only its holders', async () => {
    const bench = await waiting(
      {},
      {
        policy: () => ({ verdict: 'ask', reason: 'members decide', approvers: { rule: 'role', roles: ['member'] } }),
      },
    )
    expect(await bench.approve()).toMatchObject({ kind: 'refused', code: 'FORBIDDEN' })
    expect(await bench.approve(bench.as('bob'))).toMatchObject({ kind: 'decided', call: { status: 'done' } })
  })
})

describe('a preview', () => {
  it('of a thing that is not there stops the call before anyone is asked', async () => {
    const { NotFoundError } = await import('../errors/not-found-error.ts')
    const tool = asking({
      preview() {
        throw new NotFoundError('the page')
      },
    })
    const { call, store } = gateBench([tool])
    expect(codeOf(await call({ text: 'a' }))).toBe('NOT_FOUND')
    expect((await store.approvals.list('acme', {})).items).toEqual([])
  })

  it('that breaks is shown as missing, told to the operator, and lets nothing through', async () => {
    const bench = await waiting({
      preview() {
        throw new Error('broken')
      },
    })
    expect(bench.reports).toMatchObject([{ code: 'PREVIEW_THREW' }])
    expect(bench.tool.starts).toBe(0)
  })

  it('names what would be done, as one masked line', async () => {
    const title = 'Delete page "Home"\r\n\u001b[31mpassword=hunter2hunter2'
    const bench = await waiting({ preview: () => ({ view: {}, basis: 1, title }) })
    const approval = await bench.store.approvals.get('acme', bench.approvalId)
    expect(approval?.description).toMatch(/^Waiting for approval: Delete page "Home" [^\n]*$/)
    expect(approval?.description).not.toContain('hunter2')
    const plain = await waiting({ preview: () => ({ view: {}, basis: 1 }) })
    expect((await plain.store.approvals.get('acme', plain.approvalId))?.description).toBe('Waiting for approval: Probe')
  })

  it('is masked', async () => {
    const bench = await waiting({ preview: () => ({ password: 'hunter2' }) })
    expect(JSON.stringify(await bench.store.approvals.get('acme', bench.approvalId))).not.toContain('hunter2')
  })
})

describe('fifty decisions and resumes of one approval at once', () => {
  it('through every door lead to one execution and one outcome', async () => {
    const finish = deferred<string>()
    const tool = asking({ execute: () => finish.promise })
    const { gate, as, store, events } = gateBench([tool])
    const alice = as('alice')
    const registry = gate.registry(alice)
    const messages: ModelMessage[] = [
      { role: 'user', content: 'delete it' },
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'call_1', toolName: 'probe', input: { text: 'a' } },
          { type: 'tool-approval-request', approvalId: 'sdk', toolCallId: 'call_1' },
        ],
      },
    ]
    const before = messages.slice(0, 1)
    const judge = registry.toAISDKTools().toolApproval.probe
    const execute = registry.toAISDKTools().tools.probe?.execute
    expect(await judge?.({ text: 'a' }, { toolCallId: 'call_1', messages: before })).toMatchObject({
      type: 'user-approval',
    })
    const approval = (await store.approvals.list('acme', { status: 'pending' })).items[0]
    const call = approval && (await store.calls.get('acme', approval.callId))
    if (approval === undefined || call?.idempotencyKey === undefined) throw new Error('nothing waits')
    const { approvalId, callId } = approval
    const { idempotencyKey } = call

    const answered: ModelMessage[] = [
      ...messages,
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'sdk', approved: true }] },
    ]
    const doors: (() => Promise<unknown>)[] = [
      () => gate.decide({ approvalId, decision: 'approve', principal: alice }),
      () => registry.respondToApprovals(answered),
      async () => execute?.({ text: 'a' }, { toolCallId: 'call_1', messages: answered, context: {} } as never), // of the SDK's options only these are read
      () => gate.call({ name: 'probe', input: { text: 'a' }, principal: asAgent(alice), idempotencyKey }),
      () => registry.executeTool('probe', { text: 'a' }, { idempotencyKey }),
    ]
    const all = Array.from({ length: 50 }, (_, index) => doors[index % doors.length]?.())
    finish.resolve('gone')
    const answers = await Promise.all(all)

    expect(tool.starts).toBe(1)
    expect(await events(callId)).toEqual(['asked', 'decided', 'started', 'ended'])
    expect(await gate.getCall(alice, callId)).toMatchObject({ status: 'done', result: { data: 'gone' } })
    for (const answer of answers.filter((_, index) => index % doors.length === 0)) {
      expect(answer).toMatchObject({ kind: 'decided', call: { status: 'done', result: { data: 'gone' } } })
    }
    // Whoever came too early by key was told that it waits or runs, never that it failed.
    for (const answer of answers.filter((_, index) => index % doors.length === 3)) {
      const { status } = (answer as Awaited<ReturnType<typeof gate.call>>).record
      expect(['awaiting_approval', 'running', 'done']).toContain(status)
    }
    const late = await gate.call({ name: 'probe', input: { text: 'a' }, principal: asAgent(alice), idempotencyKey })
    expect(late.result).toMatchObject({ success: true, data: 'gone' })
    expect(tool.starts).toBe(1)
  })

  it('half approving and half declining: the first one stands for all', async () => {
    const bench = await waiting()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? bench.approve() : bench.decline())),
    )
    const statuses = new Set(answers.map((answer) => ('call' in answer ? answer.call.status : 'none')))
    const after = await bench.gate.getCall(bench.as('alice'), bench.callId)
    expect(bench.tool.starts).toBe(after?.status === 'done' ? 1 : 0)
    expect(answers.filter(({ kind }) => kind === 'decided')).toHaveLength(25)
    expect(answers.filter(({ kind }) => kind === 'conflict')).toHaveLength(25)
    expect(statuses.size).toBeLessThanOrEqual(3)
  })

  it('with different edits: one of them runs, once', async () => {
    const seen: string[] = []
    const bench = await waiting({ execute: ({ input }) => seen.push(input.text) })
    await Promise.all(Array.from({ length: 50 }, (_, index) => bench.approve(undefined, { text: `edit ${index}` })))
    expect(seen).toHaveLength(1)
    const call = await bench.store.calls.get('acme', bench.callId)
    expect(call?.payload?.input).toEqual({ text: seen[0] })
  })
})

describe('two workspaces', () => {
  it('cannot see, decide, settle or answer what is in the other', async () => {
    const tool = asking()
    const bench = gateBench([tool, probe({ name: 'look', kind: 'read' })])
    const thread = { threadId: 't', untrusted: false, userText: '' }
    const { record, result } = await bench.call({ text: 'a' }, { thread, form: 'conversation', idempotencyKey: 'k' })
    const approvalId = approvalOf({ result })
    const mallory = bench.as('mallory')
    const { gate, store } = bench
    expect(await gate.getCall(mallory, record.callId)).toBeUndefined()
    expect(await store.approvals.get('other', approvalId)).toBeUndefined()
    expect(await store.approvals.list('other', {})).toEqual({ items: [] })
    expect(await store.calls.list('other', {})).toEqual({ items: [] })
    expect(await gate.decide({ approvalId, decision: 'approve', principal: mallory })).toMatchObject({
      code: 'NOT_FOUND',
    })
    const settled = await gate.settle({ callId: record.callId, outcome: 'happened', principal: mallory })
    expect(settled).toMatchObject({ code: 'NOT_FOUND' })
    expect(await gate.readReply({ threadId: 't', text: 'yes', principal: mallory })).toEqual({ kind: 'none' })
    const own = await bench.call({ text: 'a' }, { by: 'mallory', idempotencyKey: 'k' })
    expect(own.record.callId).not.toBe(record.callId)
    expect(tool.starts).toBe(0)
  })

  it("does not take over a call by naming another workspace's id", async () => {
    const tool: Tool & { starts: number } = probe()
    const bench = gateBench([tool])
    const { record } = await bench.call({ text: 'a' })
    const same = await bench.call({ text: 'a' }, { by: 'mallory', callId: record.callId })
    expect(same.record.principal.tenantId).toBe('other')
    expect(tool.starts).toBe(2)
  })
})
