import { describe, expect, it } from 'vitest'
import { makeSeal } from '../../seal/seal.ts'
import { startSealer } from '../../seal/sealer.ts'
import { verifyLedger } from '../../seal/verify.ts'
import type { Store } from '../../store/store.ts'
import {
  asked,
  claimed,
  countOf,
  entriesOf,
  eventsOf,
  fenceOf,
  freshTenant,
  inParallel,
  sampleCall,
  sampleDecision,
  sampleEnding,
  samplePayload,
  unknownOutcome,
} from './samples.ts'

const key = 'a key that lies outside the database'

/** Entries, seals and erasure. How tampering is found is `verifyLedger`'s own test. */
export function ledgerContract(store: () => Store): void {
  const verify = (tenantId: string) => verifyLedger(store(), tenantId, key)

  async function endedCall(tenantId: string) {
    const call = await claimed(store(), sampleCall(tenantId))
    await store().calls.finish(fenceOf(call), sampleEnding(call))
    return call
  }

  describe('the ledger', () => {
    it('tells who, by which door, and about which call, without its content', async () => {
      const tenantId = freshTenant()
      const call = await claimed(store(), sampleCall(tenantId, {}, { secret: 'canary-4711' }))
      await store().calls.finish(fenceOf(call), sampleEnding(call))
      const [started, ended] = await entriesOf(store(), tenantId, call.callId)
      expect(started).toMatchObject({
        tenantId,
        event: 'started',
        callId: call.callId,
        pack: 'cms',
        toolName: 'rename_page',
        status: 'running',
        userId: 'alice',
        actor: 'person',
        door: 'http',
        runId: undefined,
        resultDigest: undefined,
      })
      expect(started?.at).toBeInstanceOf(Date)
      expect(started?.inputDigest).toMatch(/^[0-9a-f]{64}$/)
      expect(ended?.resultDigest).toMatch(/^[0-9a-f]{64}$/)
      expect(ended?.inputDigest).toBe(started?.inputDigest)
      expect(JSON.stringify([started, ended])).not.toContain('canary')
    })

    it('puts all that is new under one seal, and the next under the next', async () => {
      const tenantId = freshTenant()
      await endedCall(tenantId)
      expect(await store().ledger.tenantsToSeal()).toContain(tenantId)
      expect(await store().ledger.tenants()).toContain(tenantId)
      const first = await store().ledger.seal(tenantId, makeSeal(key))
      expect(first).toMatchObject({ tenantId, seq: 1, count: 2, previous: undefined })
      expect(await store().ledger.unsealed(tenantId)).toEqual([])
      expect(await store().ledger.tenantsToSeal()).not.toContain(tenantId)
      expect(await store().ledger.seal(tenantId, makeSeal(key))).toBeUndefined()
      await endedCall(tenantId)
      const second = await store().ledger.seal(tenantId, makeSeal(key))
      expect(second).toMatchObject({ seq: 2, count: 2, previous: first?.signature })
      const seals = []
      for await (const { seal, entries } of store().ledger.sealed(tenantId)) seals.push({ seal, count: entries.length })
      expect(seals).toEqual([
        { seal: first, count: 2 },
        { seal: second, count: 2 },
      ])
      expect(await verify(tenantId)).toEqual({
        sealed: 4,
        unsealed: 0,
        problems: [],
        head: { seq: 2, signature: second?.signature },
      })
    })

    it('seals nothing when the seal cannot be made', async () => {
      const tenantId = freshTenant()
      await endedCall(tenantId)
      const failing = store().ledger.seal(tenantId, () => {
        throw new Error('no key')
      })
      await expect(failing).rejects.toThrow('no key')
      expect(await store().ledger.unsealed(tenantId)).toHaveLength(2)
      expect(await verify(tenantId)).toMatchObject({ sealed: 0, unsealed: 2, problems: [] })
    })

    it('keeps each entry under exactly one seal when many seal while others write', async () => {
      const tenantId = freshTenant()
      const sealers = [
        startSealer(store(), key, { everyMs: 3_600_000 }),
        startSealer(store(), key, { everyMs: 3_600_000 }),
      ]
      const writing = inParallel(40, async (index) => {
        await endedCall(tenantId)
        if (index % 4 === 0) await sealers[index % 2]?.sealNow()
        if (index % 8 === 0) expect((await verify(tenantId)).problems).toEqual([])
      })
      await writing
      await Promise.all(sealers.map((sealer) => sealer.stop()))
      const report = await verify(tenantId)
      expect(report).toMatchObject({ sealed: 80, unsealed: 0, problems: [] })
    })

    it('stays whole over everything that can happen to a call', async () => {
      const tenantId = freshTenant()
      const lost = await claimed(store(), sampleCall(tenantId, { kind: 'action', effect: 'external' }), {
        attemptMs: -1_000,
      })
      const again = await claimed(store(), lost, { from: 'recovery' })
      await store().calls.finish(fenceOf(again), sampleEnding(again, unknownOutcome))
      await store().calls.settle(
        tenantId,
        again.callId,
        sampleEnding(again, { status: 'failed', code: 'INTERNAL' }),
        again.principal,
      )
      const { call, approval } = await asked(store(), sampleCall(tenantId))
      const edited = samplePayload(call, { title: 'Start' })
      const decision = { ...sampleDecision(tenantId, 'approve'), editedDigest: edited.digest }
      await store().approvals.decide(tenantId, approval.approvalId, decision, 60_000, edited)
      await store().calls.endWaiting(tenantId, call.callId, {
        status: 'cancelled',
        code: 'CANCELLED',
        description: 'Cancelled',
      })
      await store().calls.recordEnded(sampleCall(tenantId, { status: 'refused', code: 'REFUSED' }))
      expect((await verify(tenantId)).problems).toEqual([])
      await store().ledger.seal(tenantId, makeSeal(key))
      expect(await verify(tenantId)).toMatchObject({ sealed: 8, unsealed: 0, problems: [] })
    })

    it('stays whole over content that databases find hard', async () => {
      const tenantId = freshTenant()
      const input = {
        text: 'a "quote", a \\ and ünïcödé 🪜',
        zero: -0,
        small: 5e-324,
        large: 1.7976931348623157e308,
        list: [],
        nested: { '': null, b: 1, a: 2 },
        big: 2 ** 63,
      }
      const call = await claimed(store(), sampleCall(tenantId, {}, input))
      const result = {
        success: true,
        data: { nul: 'a\u0000b', lone: '\ud800', date: new Date(0), gone: undefined, not: Number.NaN },
        message: 'odd',
      } as const
      await store().calls.finish(
        fenceOf(call),
        sampleEnding(call, { payload: { ...samplePayload(call, input), ...call.payload, result } }),
      )
      await store().ledger.seal(tenantId, makeSeal(key))
      expect((await verify(tenantId)).problems).toEqual([])
    })
  })

  describe('erasure', () => {
    it('removes the content of a call and its approval; the record stays and stays valid', async () => {
      const tenantId = freshTenant()
      const { call, approval } = await asked(store(), sampleCall(tenantId, {}, { secret: 'canary-4711' }), {
        preview: 'canary-4711',
      })
      await store().calls.endWaiting(tenantId, call.callId, {
        status: 'declined',
        code: 'DECLINED',
        description: 'Not renamed',
      })
      await store().ledger.seal(tenantId, makeSeal(key))
      await store().calls.erase(tenantId, call.callId)
      expect(await store().calls.get(tenantId, call.callId)).toMatchObject({ status: 'declined', payload: undefined })
      expect(await store().approvals.get(tenantId, approval.approvalId)).toMatchObject({
        digest: '',
        preview: undefined,
        basis: undefined,
      })
      expect(await eventsOf(store(), tenantId, call.callId)).toEqual([
        'asked awaiting_approval',
        'ended declined',
        'erased declined',
      ])
      const left = [await store().calls.list(tenantId, {}), await store().approvals.list(tenantId, {})]
      expect(JSON.stringify(left)).not.toContain('canary')
      expect(await verify(tenantId)).toMatchObject({ sealed: 2, unsealed: 1, problems: [] })
      await store().ledger.seal(tenantId, makeSeal(key))
      expect(await verify(tenantId)).toMatchObject({ sealed: 3, unsealed: 0, problems: [] })
    })

    it('is on record once', async () => {
      const tenantId = freshTenant()
      const call = await endedCall(tenantId)
      await inParallel(5, () => store().calls.erase(tenantId, call.callId))
      expect(countOf(await eventsOf(store(), tenantId, call.callId), (event) => event.startsWith('erased'))).toBe(1)
    })

    it('is not undone by an ending that comes after it', async () => {
      const tenantId = freshTenant()
      const call = await claimed(store(), sampleCall(tenantId, {}, { secret: 'canary-4711' }))
      await store().calls.erase(tenantId, call.callId)
      await store().calls.finish(fenceOf(call), sampleEnding(call))
      expect(await store().calls.get(tenantId, call.callId)).toMatchObject({ status: 'done', payload: undefined })
      expect((await verify(tenantId)).problems).toEqual([])
    })
  })
}
