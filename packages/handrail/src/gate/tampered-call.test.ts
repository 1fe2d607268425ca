import { describe, expect, it } from 'vitest'
import { StoreError } from '../errors/store-error.ts'
import type { StoredCall } from '../ledger/call-record.ts'
import { createMemoryStore } from '../store/memory-store.ts'
import type { Store } from '../store/store.ts'
import { approvalOf, deferred, gateBench, probe, until } from './testing/gate-bench.ts'

/** The same store, in which the arguments of stored calls read otherwise, while the digest beside them does not. */
function tampered(store: Store, text: string): Store {
  const change = (call: StoredCall): StoredCall =>
    call.payload ? { ...call, payload: { ...call.payload, input: { text } } } : call
  return {
    ...store,
    calls: {
      ...store.calls,
      async get(tenantId, callId) {
        const call = await store.calls.get(tenantId, callId)
        return call && change(call)
      },
      abandoned: async (limit) => (await store.calls.abandoned(limit)).map(change),
    },
  }
}

describe('arguments that were changed in the database', () => {
  it('behind an approval never run, and the call ends', async () => {
    const store = createMemoryStore()
    const tool = probe({ kind: 'delete' })
    const asked = await gateBench([tool], { store }).call({ text: 'a' })
    const { gate, as, events } = gateBench([tool], { store: tampered(store, 'evil') })

    const request = { approvalId: approvalOf(asked), decision: 'approve', principal: as('alice') } as const
    const decided = await gate.decide(request)
    expect(decided).toMatchObject({ call: { status: 'refused', result: { code: 'CONFLICT' } } })
    expect(tool.starts).toBe(0)
    expect(await events(asked.record.callId)).toEqual(['asked', 'decided', 'ended'])
    expect(await gate.reconcile()).toBe(0)
  })

  it('before a recovery never run, and the call ends', async () => {
    const store = createMemoryStore()
    const tool = probe({ limits: { timeoutMs: -10_000 } })
    const dying: Store = {
      ...store,
      calls: { ...store.calls, transact: () => Promise.reject(new StoreError('the process died')) },
    }
    const dead = gateBench([tool], { store: dying })
    await dead.call({ text: 'a' }, { idempotencyKey: 'k' }).catch(() => undefined)

    const { gate, as, events } = gateBench([tool], { store: tampered(store, 'evil') })
    const [call] = await store.calls.abandoned(10)
    expect(await gate.reconcile()).toBe(1)
    expect(await gate.getCall(as('alice'), call?.callId ?? '')).toMatchObject({ status: 'refused' })
    expect(tool.starts).toBe(0)
    expect(await events(call?.callId ?? '')).toEqual(['started', 'started', 'ended'])
  })
})

describe('an edit that is approved while another resumes', () => {
  it('is what runs', async () => {
    const store = createMemoryStore()
    const tool = probe({ kind: 'delete', execute: ({ input }) => input })
    const { gate, as, call } = gateBench([tool], { store })
    const approvalId = approvalOf(await call({ text: 'a' }, { idempotencyKey: 'k' }))
    const principal = as('alice')
    const [edited, again] = await Promise.all([
      gate.decide({ approvalId, decision: 'approve', principal, input: { text: 'b' } }),
      call({ text: 'a' }, { idempotencyKey: 'k' }),
    ])
    expect(edited).toMatchObject({ call: { status: 'done', result: { data: { text: 'b' } } } })
    expect(again.record.status).not.toBe('refused')
    expect(tool.starts).toBe(1)
  })

  it('is no conflict for the run that had asked for it otherwise', async () => {
    const release = deferred()
    const execute = ({ input }: { input: unknown }) => release.promise.then(() => input)
    const tool = probe({ kind: 'action', effect: 'external', execute })
    const { gate, as, call } = gateBench([tool])
    const own = { callId: 'call-1' }
    const approvalId = approvalOf(await call({ text: 'a' }, own))
    const request = { approvalId, decision: 'approve', principal: as('alice'), input: { text: 'b' } } as const
    const decided = gate.decide(request)
    await until(() => tool.starts === 1)
    expect((await call({ text: 'a' }, own)).record).toMatchObject({ callId: 'call-1', status: 'running' })
    release.resolve()
    await decided
    expect((await call({ text: 'a' }, own)).result).toMatchObject({ success: true, data: { text: 'b' } })
  })
})
