import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeSeal } from '../../seal/seal.ts'
import type { Store } from '../../store/store.ts'
import {
  approvedClaim,
  asked,
  claimed,
  fenceOf,
  freshTenant,
  leased,
  newClaim,
  sampleCall,
  sampleDecision,
  sampleEnding,
  sampleMessage,
  sampleUser,
  startedRun,
  unknownOutcome,
} from './samples.ts'

/** One workspace sees, changes and learns nothing of another, whatever ids it knows. */
export function tenantContract(store: () => Store): void {
  describe('another workspace', () => {
    it('sees and changes no call', async () => {
      const [acme, other] = [freshTenant(), freshTenant()]
      const key = 'key-1'
      const running = await claimed(store(), sampleCall(acme, { idempotencyKey: key }))
      const unknown = await claimed(store(), sampleCall(acme))
      await store().calls.finish(fenceOf(unknown), sampleEnding(unknown, unknownOutcome))
      const waiting = (await asked(store(), sampleCall(acme))).call
      const all = [running, unknown, waiting]
      const before = await Promise.all(all.map(({ callId }) => store().calls.get(acme, callId)))
      const mallory = sampleUser(other, 'mallory')
      let effects = 0
      for (const call of all) {
        const fence = { ...fenceOf(call), tenantId: other }
        const { callId, pack, toolName } = call
        expect(await store().calls.get(other, callId)).toBeUndefined()
        expect(await store().calls.finish(fence, sampleEnding(call))).toEqual({ kind: 'fenced', call: undefined })
        const transaction = await store().calls.transact(fence, async () => {
          effects += 1
          return sampleEnding(call)
        })
        expect(transaction).toEqual({ kind: 'fenced', call: undefined })
        expect(
          await store().calls.endWaiting(other, callId, { status: 'cancelled', code: 'CANCELLED', description: '' }),
        ).toBeUndefined()
        expect(await store().calls.settle(other, callId, sampleEnding(call), mallory)).toBeUndefined()
        await store().calls.erase(other, callId)
        const recovery = newClaim({ ...call, tenantId: other, principal: mallory }, { from: 'recovery' })
        expect(await store().calls.claim(recovery)).toEqual({ kind: 'not-approved', why: 'missing', call: undefined })
        expect(
          await store().calls.unsettled({ tenantId: other, userId: 'alice', threadId: undefined, pack, toolName }),
        ).toEqual([])
      }
      expect(effects).toBe(0)
      expect(await store().calls.getByKey(other, 'alice', 'cms', 'rename_page', key)).toBeUndefined()
      expect((await store().calls.list(other, {})).items).toEqual([])
      expect(await Promise.all(all.map(({ callId }) => store().calls.get(acme, callId)))).toEqual(before)
    })

    it('decides, withdraws and uses no approval', async () => {
      const [acme, other] = [freshTenant(), freshTenant()]
      const { call, approval } = await asked(store(), sampleCall(acme))
      const { approvalId } = approval
      expect(await store().approvals.get(other, approvalId)).toBeUndefined()
      expect(
        await store().approvals.decide(other, approvalId, sampleDecision(other, 'approve', 'mallory'), 60_000),
      ).toEqual({ kind: 'missing' })
      await store().approvals.withdraw(other, approvalId)
      expect((await store().approvals.list(other, {})).items).toEqual([])
      expect(await store().approvals.get(acme, approvalId)).toMatchObject({ status: 'pending' })
      await store().approvals.decide(acme, approvalId, sampleDecision(acme, 'approve'), 60_000)
      const stolen = approvedClaim({ ...call, tenantId: other, principal: sampleUser(other, 'mallory') }, approval)
      expect(await store().calls.claim(stolen)).toEqual({ kind: 'not-approved', why: 'missing', call: undefined })
      expect(await store().approvals.get(acme, approvalId)).toMatchObject({ status: 'approved' })
    })

    it('sees no thread, message or step, and writes none', async () => {
      const [acme, other] = [freshTenant(), freshTenant()]
      const { threadId } = await startedRun(store(), acme)
      expect(await store().runs.getThread(other, threadId)).toBeUndefined()
      expect((await store().runs.listThreads(other, { userId: 'alice' })).items).toEqual([])
      expect(await store().runs.messages(other, threadId)).toEqual([])
      expect(await store().runs.steps(other, threadId)).toEqual([])
      await store().runs.markUntrusted(other, threadId)
      await expect(
        store().runs.saveMessage(other, { ...sampleMessage(), threadId, role: 'user', runId: undefined }),
      ).rejects.toThrow()
      const request = {
        runId: randomUUID(),
        tenantId: other,
        threadId,
        principal: sampleUser(other),
        pack: 'cms',
        scope: {},
        mode: 'inline',
      } as const
      await expect(store().runs.start(request, sampleMessage())).rejects.toThrow()
      expect(await store().runs.getThread(acme, threadId)).toMatchObject({ untrusted: false })
      expect(await store().runs.messages(acme, threadId)).toHaveLength(1)
    })

    it('sees, holds, wakes and cancels no run, even with its token', async () => {
      const [acme, other] = [freshTenant(), freshTenant()]
      const run = await startedRun(store(), acme)
      const { runId } = run
      expect(await store().runs.acquire(other, runId, 'worker-1', 60_000)).toBeUndefined()
      const lease = await leased(store(), run)
      const before = await store().runs.get(acme, runId)
      const step = {
        runId,
        step: 0,
        messages: [],
        calls: [],
        model: 'scripted',
        finishReason: 'stop',
        usage: { inputTokens: 1, outputTokens: 1 },
        durationMs: 1,
      }
      expect(await store().runs.get(other, runId)).toBeUndefined()
      expect((await store().runs.list(other, {})).items).toEqual([])
      expect(await store().runs.renew(other, lease, 60_000)).toBe(false)
      expect(await store().runs.recordStep(other, lease, step, 1)).toBe(false)
      expect(await store().runs.deliverQueued(other, lease)).toEqual([])
      expect(await store().runs.release(other, lease, { status: 'waiting', activeMs: 1 })).toBe(false)
      expect(await store().runs.end(other, lease, { status: 'done', finishReason: 'stop', activeMs: 1 })).toBe('lost')
      expect(await store().runs.requestCancel(other, runId)).toBeUndefined()
      await store().runs.requestWake(other, runId)
      expect(await store().runs.get(acme, runId)).toEqual(before)
      const call = sampleCall(other, { runId })
      expect(await store().calls.claim(newClaim(call, { lease }))).toEqual({ kind: 'lease-lost' })
    })

    it('has a record of its own', async () => {
      const [acme, other] = [freshTenant(), freshTenant()]
      await claimed(store(), sampleCall(acme))
      expect(await store().ledger.unsealed(other)).toEqual([])
      expect(await store().ledger.seal(other, makeSeal('key'))).toBeUndefined()
      await store().ledger.seal(acme, makeSeal('key'))
      const seals = []
      for await (const each of store().ledger.sealed(other)) seals.push(each)
      expect(seals).toEqual([])
    })
  })
}
