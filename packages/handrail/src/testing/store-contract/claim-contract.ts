import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Quota, Store } from '../../store/store.ts'
import {
  claimed,
  countOf,
  eventsOf,
  fenceOf,
  freshTenant,
  inParallel,
  lostLease,
  newClaim,
  sampleCall,
  sampleEnding,
  sampleUser,
} from './samples.ts'

const hourMs = 3_600_000

/** Keys, quotas and leases: who may start an execution. */
export function claimContract(store: () => Store): void {
  describe('claim', () => {
    it('starts a new call: running, first attempt, on record', async () => {
      const tenantId = freshTenant()
      const call = await claimed(store(), sampleCall(tenantId))
      expect(call).toMatchObject({ status: 'running', attempt: 1, tenantId })
      expect(call.executedAt).toBeInstanceOf(Date)
      expect(call.attemptUntil?.getTime()).toBeGreaterThan(call.executedAt?.getTime() ?? Number.POSITIVE_INFINITY)
      expect(call.endedAt).toBeUndefined()
      expect(await store().calls.get(tenantId, call.callId)).toEqual(call)
      expect(await eventsOf(store(), tenantId, call.callId)).toEqual(['started running'])
    })

    it('keeps every field of the call as it was given', async () => {
      const tenantId = freshTenant()
      const given = sampleCall(
        tenantId,
        {
          principal: { ...sampleUser(tenantId, 'alice', 'agent'), mayApprove: false },
          threadId: randomUUID(),
          runId: randomUUID(),
          step: 3,
          kind: 'action',
          effect: 'external',
          idempotent: true,
          idempotencyKey: 'key-1',
          scope: { siteId: 'site-1', environmentId: 'live' },
        },
        { nested: { list: [1, 'two', null, { three: 3.5 }] }, text: 'ümlaut 🪜' },
      )
      const { attempt, attemptUntil, createdAt, executedAt, ...kept } = given
      const stored = await claimed(store(), given)
      expect(stored).toMatchObject(kept)
      expect(await store().calls.get(tenantId, given.callId)).toMatchObject(kept)
    })

    it('starts exactly as many of 100 parallel calls as the limit allows, and says when the next may', async () => {
      const tenantId = freshTenant()
      const quota: Quota = { key: 'calls:alice', limit: 10, windowMs: hourMs }
      const outcomes = await inParallel(100, () =>
        store().calls.claim(newClaim(sampleCall(tenantId), { quotas: [quota] })),
      )
      expect(countOf(outcomes, ({ kind }) => kind === 'claimed')).toBe(10)
      const limited = outcomes.filter((outcome) => outcome.kind === 'limited')
      expect(limited).toHaveLength(90)
      for (const outcome of limited) {
        expect(outcome.quota.key).toBe('calls:alice')
        expect((outcome.retryAt?.getTime() ?? 1) % hourMs).toBe(0)
      }
      expect((await store().calls.list(tenantId, { limit: 100 })).items).toHaveLength(10)
    })

    it('counts a limit without a window for ever', async () => {
      const tenantId = freshTenant()
      const quotas = [{ key: `run:${randomUUID()}`, limit: 1, windowMs: 0 }]
      await claimed(store(), sampleCall(tenantId), { quotas })
      expect(await store().calls.claim(newClaim(sampleCall(tenantId), { quotas }))).toMatchObject({
        kind: 'limited',
        retryAt: undefined,
      })
    })

    it('spends no quota when another one is used up', async () => {
      const tenantId = freshTenant()
      const wide = { key: 'calls:alice', limit: 2, windowMs: hourMs }
      const used = { key: 'tool:alice:rename_page', limit: 0, windowMs: hourMs }
      for (let round = 0; round < 3; round += 1) {
        expect(await store().calls.claim(newClaim(sampleCall(tenantId), { quotas: [wide, used] }))).toMatchObject({
          kind: 'limited',
          quota: used,
        })
      }
      await claimed(store(), sampleCall(tenantId), { quotas: [wide] })
      await claimed(store(), sampleCall(tenantId), { quotas: [wide] })
    })

    it('spends no quota on a retry with the same key', async () => {
      const tenantId = freshTenant()
      const quotas = [{ key: 'calls:alice', limit: 1, windowMs: hourMs }]
      const first = await claimed(store(), sampleCall(tenantId, { idempotencyKey: 'key-1' }), { quotas })
      const again = await store().calls.claim(newClaim(sampleCall(tenantId, { idempotencyKey: 'key-1' }), { quotas }))
      expect(again).toMatchObject({ kind: 'existing', call: { callId: first.callId } })
    })

    it('counts quotas of different workspaces apart', async () => {
      const quotas = [{ key: 'calls:alice', limit: 1, windowMs: hourMs }]
      await claimed(store(), sampleCall(freshTenant()), { quotas })
      await claimed(store(), sampleCall(freshTenant()), { quotas })
    })

    it('starts one of many parallel calls with the same key and gives that one to the others', async () => {
      const tenantId = freshTenant()
      const outcomes = await inParallel(30, () =>
        store().calls.claim(newClaim(sampleCall(tenantId, { idempotencyKey: 'key-1' }))),
      )
      expect(countOf(outcomes, ({ kind }) => kind === 'claimed')).toBe(1)
      expect(countOf(outcomes, ({ kind }) => kind === 'existing')).toBe(29)
      const ids = new Set(outcomes.map((outcome) => ('call' in outcome ? outcome.call?.callId : undefined)))
      expect(ids.size).toBe(1)
      expect((await store().calls.list(tenantId, {})).items).toHaveLength(1)
    })

    it('lets a key be used once by each person, pack and tool of each workspace', async () => {
      const tenantId = freshTenant()
      const idempotencyKey = 'key-1'
      await claimed(store(), sampleCall(tenantId, { idempotencyKey }))
      await claimed(store(), sampleCall(tenantId, { idempotencyKey, principal: sampleUser(tenantId, 'bob') }))
      await claimed(store(), sampleCall(tenantId, { idempotencyKey, pack: 'gameplan' }))
      await claimed(store(), sampleCall(tenantId, { idempotencyKey, toolName: 'delete_page' }))
      await claimed(store(), sampleCall(freshTenant(), { idempotencyKey }))
      await claimed(store(), sampleCall(tenantId))
      await claimed(store(), sampleCall(tenantId))
    })

    it('starts one of many parallel claims of the same call', async () => {
      const call = sampleCall(freshTenant())
      const outcomes = await inParallel(20, () => store().calls.claim(newClaim(call)))
      expect(countOf(outcomes, ({ kind }) => kind === 'claimed')).toBe(1)
      expect(countOf(outcomes, ({ kind }) => kind === 'existing')).toBe(19)
    })

    it('finds a call by its key, whatever became of it', async () => {
      const tenantId = freshTenant()
      const call = await claimed(store(), sampleCall(tenantId, { idempotencyKey: 'key-1' }))
      await store().calls.finish(fenceOf(call), sampleEnding(call))
      expect(await store().calls.getByKey(tenantId, 'alice', 'cms', 'rename_page', 'key-1')).toMatchObject({
        callId: call.callId,
        status: 'done',
      })
      expect(await store().calls.getByKey(tenantId, 'bob', 'cms', 'rename_page', 'key-1')).toBeUndefined()
    })

    it('leaves the key of a call that ended before it started free', async () => {
      const tenantId = freshTenant()
      const refused = sampleCall(tenantId, { idempotencyKey: 'key-1', status: 'refused', code: 'REFUSED', attempt: 0 })
      await store().calls.recordEnded(refused)
      expect(await eventsOf(store(), tenantId, refused.callId)).toEqual(['ended refused'])
      await claimed(store(), sampleCall(tenantId, { idempotencyKey: 'key-1' }))
    })

    it('starts nothing for a holder whose lease is lost', async () => {
      const tenantId = freshTenant()
      const { lost, held } = await lostLease(store(), tenantId)
      const call = sampleCall(tenantId, { runId: lost.runId })
      expect(await store().calls.claim(newClaim(call, { lease: lost }))).toEqual({ kind: 'lease-lost' })
      expect(await store().calls.get(tenantId, call.callId)).toBeUndefined()
      await claimed(store(), call, { lease: held })
    })
  })

  describe('recovery', () => {
    const recovery = { from: 'recovery' } as const

    it('takes over an attempt that ran out', async () => {
      const tenantId = freshTenant()
      const call = await claimed(store(), sampleCall(tenantId), { attemptMs: -1_000 })
      expect(await store().calls.claim(newClaim(call, recovery))).toMatchObject({
        kind: 'claimed',
        call: { attempt: 2, status: 'running' },
      })
      expect(await eventsOf(store(), tenantId, call.callId)).toEqual(['started running', 'started running'])
    })

    it('leaves an attempt alone that still has time', async () => {
      const call = await claimed(store(), sampleCall(freshTenant()))
      expect(await store().calls.claim(newClaim(call, recovery))).toMatchObject({
        kind: 'existing',
        call: { attempt: 1 },
      })
    })

    it('leaves a call alone that has ended', async () => {
      const call = await claimed(store(), sampleCall(freshTenant()), { attemptMs: -1_000 })
      await store().calls.finish(fenceOf(call), sampleEnding(call))
      expect(await store().calls.claim(newClaim(call, recovery))).toMatchObject({
        kind: 'existing',
        call: { status: 'done' },
      })
    })

    it('gives an attempt to one of many who want it', async () => {
      const call = await claimed(store(), sampleCall(freshTenant()), { attemptMs: -1_000 })
      const outcomes = await inParallel(20, () =>
        store().calls.claim(newClaim(call, { ...recovery, attemptMs: -1_000 })),
      )
      expect(countOf(outcomes, ({ kind }) => kind === 'claimed')).toBe(1)
    })

    it('finds nothing where no such call is', async () => {
      expect(await store().calls.claim(newClaim(sampleCall(freshTenant()), recovery))).toEqual({
        kind: 'not-approved',
        why: 'missing',
        call: undefined,
      })
    })

    it('lists running calls whose attempt ran out, and no others', async () => {
      const tenantId = freshTenant()
      const lost = await claimed(store(), sampleCall(tenantId), { attemptMs: -1_000 })
      await claimed(store(), sampleCall(tenantId))
      const ended = await claimed(store(), sampleCall(tenantId), { attemptMs: -1_000 })
      await store().calls.finish(fenceOf(ended), sampleEnding(ended))
      const abandoned = (await store().calls.abandoned(10_000)).filter((call) => call.tenantId === tenantId)
      expect(abandoned.map(({ callId }) => callId)).toEqual([lost.callId])
      expect(await store().calls.abandoned(1)).toHaveLength(1)
    })
  })
}
