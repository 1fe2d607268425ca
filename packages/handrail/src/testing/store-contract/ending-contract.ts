import { describe, expect, it } from 'vitest'
import type { Store } from '../../store/store.ts'
import type { StoreData } from '../store-contract.ts'
import {
  claimed,
  countOf,
  entriesOf,
  eventsOf,
  fenceOf,
  freshTenant,
  inParallel,
  lostLease,
  newClaim,
  sampleCall,
  sampleEnding,
  sampleUser,
  unknownOutcome,
} from './samples.ts'

/** How calls end: inside a transaction, outside of one, late, and by a person's word. */
export function endingContract(store: () => Store, data: StoreData | undefined): void {
  const external = { kind: 'action', effect: 'external' } as const

  describe('finish', () => {
    it('stores the ending and puts it on record', async () => {
      const tenantId = freshTenant()
      const call = await claimed(store(), sampleCall(tenantId))
      const ending = sampleEnding(call, { truncated: true })
      expect(await store().calls.finish(fenceOf(call), ending)).toEqual({ kind: 'committed', ending })
      const stored = await store().calls.get(tenantId, call.callId)
      expect(stored).toMatchObject({ ...ending, attempt: 1 })
      expect(stored?.endedAt).toBeInstanceOf(Date)
      expect(await eventsOf(store(), tenantId, call.callId)).toEqual(['started running', 'ended done'])
    })

    it('stores one ending of many at once', async () => {
      const tenantId = freshTenant()
      const call = await claimed(store(), sampleCall(tenantId))
      const outcomes = await inParallel(10, (index) =>
        store().calls.finish(fenceOf(call), sampleEnding(call, { description: `Ending ${index}` })),
      )
      expect(countOf(outcomes, ({ kind }) => kind === 'committed')).toBe(1)
      expect(await eventsOf(store(), tenantId, call.callId)).toHaveLength(2)
    })

    it('refuses an attempt that was taken over', async () => {
      const tenantId = freshTenant()
      const first = await claimed(store(), sampleCall(tenantId, external), { attemptMs: -1_000 })
      const second = await claimed(store(), first, { from: 'recovery' })
      expect(await store().calls.finish(fenceOf(first), sampleEnding(first))).toMatchObject({
        kind: 'fenced',
        call: { attempt: 2, status: 'running' },
      })
      expect(await store().calls.finish(fenceOf(second), sampleEnding(second))).toMatchObject({ kind: 'committed' })
    })

    it('refuses what no such call expects', async () => {
      const call = sampleCall(freshTenant())
      expect(await store().calls.finish(fenceOf(call), sampleEnding(call))).toEqual({ kind: 'fenced', call: undefined })
    })

    it('refuses a holder whose lease is lost', async () => {
      const tenantId = freshTenant()
      const { lost, held } = await lostLease(store(), tenantId)
      const call = await claimed(store(), sampleCall(tenantId, { runId: lost.runId }))
      expect(await store().calls.finish(fenceOf(call, { lease: lost }), sampleEnding(call))).toMatchObject({
        kind: 'fenced',
        call: { status: 'running' },
      })
      expect(await store().calls.finish(fenceOf(call, { lease: held }), sampleEnding(call))).toMatchObject({
        kind: 'committed',
      })
    })

    it('keeps what happened outside even when the lease is lost', async () => {
      const tenantId = freshTenant()
      const { lost } = await lostLease(store(), tenantId)
      const call = await claimed(store(), sampleCall(tenantId, { ...external, runId: lost.runId }))
      expect(await store().calls.finish(fenceOf(call, { lease: lost }), sampleEnding(call))).toMatchObject({
        kind: 'committed',
      })
    })

    it('commits what `save` writes together with the ending, or neither', async () => {
      const tenantId = freshTenant()
      const call = await claimed(store(), sampleCall(tenantId, external))
      const ending = sampleEnding(call)
      const failing = store().calls.finish(fenceOf(call), ending, async ({ db }) => {
        await data?.write(db, tenantId, `${call.callId} lost`)
        throw new Error('the disk is full')
      })
      await expect(failing).rejects.toThrow('the disk is full')
      expect(await store().calls.get(tenantId, call.callId)).toMatchObject({ status: 'running' })
      await store().calls.finish(fenceOf(call), ending, async ({ db }) =>
        data?.write(db, tenantId, `${call.callId} kept`),
      )
      expect(await store().calls.get(tenantId, call.callId)).toMatchObject({ status: 'done' })
      if (data !== undefined) {
        expect(await data.has(tenantId, `${call.callId} lost`)).toBe(false)
        expect(await data.has(tenantId, `${call.callId} kept`)).toBe(true)
      }
    })

    it('saves nothing for an attempt that was taken over', async () => {
      const first = await claimed(store(), sampleCall(freshTenant(), external), { attemptMs: -1_000 })
      await claimed(store(), first, { from: 'recovery' })
      let saves = 0
      await store().calls.finish(fenceOf(first), sampleEnding(first), async () => {
        saves += 1
      })
      expect(saves).toBe(0)
    })
  })

  describe('transact', () => {
    it('commits the effect together with its ending', async () => {
      const tenantId = freshTenant()
      const call = await claimed(store(), sampleCall(tenantId))
      const ending = sampleEnding(call)
      const outcome = await store().calls.transact(fenceOf(call), async ({ db }) => {
        await data?.write(db, tenantId, call.callId)
        return ending
      })
      expect(outcome).toEqual({ kind: 'committed', ending })
      expect(await store().calls.get(tenantId, call.callId)).toMatchObject(ending)
      expect(await eventsOf(store(), tenantId, call.callId)).toEqual(['started running', 'ended done'])
      if (data !== undefined) expect(await data.has(tenantId, call.callId)).toBe(true)
    })

    it('changes nothing when the effect throws, and throws the same', async () => {
      const tenantId = freshTenant()
      const call = await claimed(store(), sampleCall(tenantId))
      const reason = new Error('the slug is taken')
      const failing = store().calls.transact(fenceOf(call), async ({ db }) => {
        await data?.write(db, tenantId, call.callId)
        throw reason
      })
      await expect(failing).rejects.toBe(reason)
      expect(await store().calls.get(tenantId, call.callId)).toEqual(call)
      expect(await eventsOf(store(), tenantId, call.callId)).toEqual(['started running'])
      if (data !== undefined) expect(await data.has(tenantId, call.callId)).toBe(false)
      const ending = sampleEnding(call, { status: 'failed', code: 'CONFLICT' })
      expect(await store().calls.finish(fenceOf(call), ending)).toMatchObject({ kind: 'committed' })
    })

    it('runs one effect of many transactions on the same attempt', async () => {
      const tenantId = freshTenant()
      const call = await claimed(store(), sampleCall(tenantId))
      let effects = 0
      const outcomes = await inParallel(10, () =>
        store().calls.transact(fenceOf(call), async () => {
          effects += 1
          await Promise.resolve()
          return sampleEnding(call)
        }),
      )
      expect(effects).toBe(1)
      expect(countOf(outcomes, ({ kind }) => kind === 'committed')).toBe(1)
      expect(countOf(outcomes, ({ kind }) => kind === 'fenced')).toBe(9)
    })

    it('runs no effect for a stale attempt, a lost lease, an ended call or none', async () => {
      const tenantId = freshTenant()
      const { lost } = await lostLease(store(), tenantId)
      const taken = await claimed(store(), sampleCall(tenantId), { attemptMs: -1_000 })
      await claimed(store(), taken, { from: 'recovery' })
      const leaseless = await claimed(store(), sampleCall(tenantId))
      const ended = await claimed(store(), sampleCall(tenantId))
      await store().calls.finish(fenceOf(ended), sampleEnding(ended))
      const missing = sampleCall(tenantId)
      const fences = [fenceOf(taken), fenceOf(leaseless, { lease: lost }), fenceOf(ended), fenceOf(missing)]
      let effects = 0
      for (const fence of fences) {
        const outcome = await store().calls.transact(fence, async () => {
          effects += 1
          return sampleEnding(ended)
        })
        expect(outcome.kind).toBe('fenced')
      }
      expect(effects).toBe(0)
    })

    it('makes others who would end the call wait for it', async () => {
      const tenantId = freshTenant()
      const call = await claimed(store(), sampleCall(tenantId), { attemptMs: -1_000 })
      const inside = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      const transaction = store().calls.transact(fenceOf(call), async () => {
        inside.resolve()
        await goOn.promise
        return sampleEnding(call)
      })
      await inside.promise
      const reconciler = store().calls.finish(fenceOf(call), sampleEnding(call, unknownOutcome))
      const successor = store().calls.claim(newClaim(call, { from: 'recovery' }))
      goOn.resolve()
      expect(await transaction).toMatchObject({ kind: 'committed' })
      expect(await reconciler).toMatchObject({ kind: 'fenced', call: { status: 'done' } })
      expect(await successor).toMatchObject({ kind: 'existing', call: { status: 'done' } })
    })

    it('lets one of those who waited have the call when it is rolled back', async () => {
      const tenantId = freshTenant()
      const call = await claimed(store(), sampleCall(tenantId))
      const inside = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      const rolledBack = store().calls.transact(fenceOf(call), async () => {
        inside.resolve()
        await goOn.promise
        throw new Error('rolled back')
      })
      await inside.promise
      let effects = 0
      const transactAgain = () =>
        store().calls.transact(fenceOf(call), async () => {
          effects += 1
          await Promise.resolve()
          return sampleEnding(call)
        })
      const finish = () => store().calls.finish(fenceOf(call), sampleEnding(call, { status: 'failed' }))
      const waiting = [finish(), transactAgain(), finish(), transactAgain()]
      goOn.resolve()
      await expect(rolledBack).rejects.toThrow('rolled back')
      const outcomes = await Promise.all(waiting)
      expect(countOf(outcomes, ({ kind }) => kind === 'committed')).toBe(1)
      const stored = await store().calls.get(tenantId, call.callId)
      expect(effects).toBe(stored?.status === 'done' ? 1 : 0)
      expect(await eventsOf(store(), tenantId, call.callId)).toHaveLength(2)
    })

    it('does not commit what was revoked, whatever the effect returns', async () => {
      const tenantId = freshTenant()
      const call = await claimed(store(), sampleCall(tenantId))
      const revoked = store().calls.transact(fenceOf(call), async (transaction) => {
        await data?.write(transaction.db, tenantId, call.callId)
        transaction.revoke(new Error('the deadline has passed'))
        return sampleEnding(call)
      })
      await expect(revoked).rejects.toThrow('the deadline has passed')
      expect(await store().calls.get(tenantId, call.callId)).toMatchObject({ status: 'running' })
      if (data !== undefined) expect(await data.has(tenantId, call.callId)).toBe(false)
    })
  })

  describe('an unknown outcome', () => {
    async function lostCall(tenantId: string) {
      const call = await claimed(store(), sampleCall(tenantId, external))
      await store().calls.finish(fenceOf(call), sampleEnding(call, unknownOutcome))
      return call
    }

    it('is settled by what its own attempt reports late, once', async () => {
      const tenantId = freshTenant()
      const call = await lostCall(tenantId)
      expect(await store().calls.finish(fenceOf(call), sampleEnding(call))).toMatchObject({ kind: 'committed' })
      expect(await store().calls.finish(fenceOf(call), sampleEnding(call, { status: 'failed' }))).toMatchObject({
        kind: 'fenced',
        call: { status: 'done' },
      })
      expect(await eventsOf(store(), tenantId, call.callId)).toEqual([
        'started running',
        'ended unknown',
        'settled done',
      ])
    })

    it('is settled by its attempt even when the run has another holder', async () => {
      const tenantId = freshTenant()
      const { lost } = await lostLease(store(), tenantId)
      const call = await lostCall(tenantId)
      expect(await store().calls.finish(fenceOf(call, { lease: lost }), sampleEnding(call))).toMatchObject({
        kind: 'committed',
      })
    })

    it('is not settled by another attempt, nor by one more unknown', async () => {
      const tenantId = freshTenant()
      const call = await lostCall(tenantId)
      expect(await store().calls.finish(fenceOf(call, { attempt: 2 }), sampleEnding(call))).toMatchObject({
        kind: 'fenced',
      })
      expect(await store().calls.finish(fenceOf(call), sampleEnding(call, unknownOutcome))).toMatchObject({
        kind: 'fenced',
      })
      expect(await store().calls.get(tenantId, call.callId)).toMatchObject({ status: 'unknown' })
    })

    it('is settled by a person, who is on record, and once', async () => {
      const tenantId = freshTenant()
      const call = await lostCall(tenantId)
      const bob = sampleUser(tenantId, 'bob')
      const outcomes = await inParallel(5, () =>
        store().calls.settle(tenantId, call.callId, sampleEnding(call, { status: 'failed' }), bob),
      )
      expect(countOf(outcomes, (settled) => settled?.status === 'failed')).toBe(1)
      expect(countOf(outcomes, (settled) => settled === undefined)).toBe(4)
      const entries = await entriesOf(store(), tenantId, call.callId)
      expect(entries.at(-1)).toMatchObject({ event: 'settled', status: 'failed', userId: 'bob', actor: 'person' })
      expect(await store().calls.finish(fenceOf(call), sampleEnding(call))).toMatchObject({ kind: 'fenced' })
    })

    it('is the only one that can be settled', async () => {
      const tenantId = freshTenant()
      const alice = sampleUser(tenantId)
      const running = await claimed(store(), sampleCall(tenantId))
      expect(await store().calls.settle(tenantId, running.callId, sampleEnding(running), alice)).toBeUndefined()
      await store().calls.finish(fenceOf(running), sampleEnding(running))
      expect(await store().calls.settle(tenantId, running.callId, sampleEnding(running), alice)).toBeUndefined()
    })

    it('is listed for its thread and tool, or for its person, until it is settled', async () => {
      const tenantId = freshTenant()
      const { pack, toolName, threadId } = { pack: 'cms', toolName: 'send_letter', threadId: crypto.randomUUID() }
      const inThread = await claimed(
        store(),
        sampleCall(tenantId, { ...external, toolName, threadId, principal: sampleUser(tenantId, 'bob') }),
      )
      const alone = await claimed(store(), sampleCall(tenantId, { ...external, toolName }))
      const other = await claimed(store(), sampleCall(tenantId, { ...external, threadId }))
      for (const call of [inThread, alone, other])
        await store().calls.finish(fenceOf(call), sampleEnding(call, unknownOutcome))
      const find = async (filter: { userId: string; threadId: string | undefined }) =>
        (await store().calls.unsettled({ tenantId, pack, toolName, ...filter })).map(({ callId }) => callId)
      expect(await find({ userId: 'alice', threadId })).toEqual([inThread.callId])
      expect(await find({ userId: 'alice', threadId: undefined })).toEqual([alone.callId])
      expect(await find({ userId: 'bob', threadId: undefined })).toEqual([inThread.callId])
      await store().calls.finish(fenceOf(alone), sampleEnding(alone))
      expect(await find({ userId: 'alice', threadId: undefined })).toEqual([])
    })
  })

  describe('readers', () => {
    it('hand on what the effect returns and what it throws', async () => {
      const tenantId = freshTenant()
      expect(await store().calls.read(tenantId, async () => 42)).toBe(42)
      await expect(store().calls.read(tenantId, async () => Promise.reject(new Error('no such page')))).rejects.toThrow(
        'no such page',
      )
    })

    it('cannot write', async (context) => {
      if (data === undefined) return context.skip('this store holds no data of services')
      const tenantId = freshTenant()
      await expect(
        store().calls.read(tenantId, async ({ db }) => data.write(db, tenantId, 'from a read')),
      ).rejects.toThrow()
      expect(await data.has(tenantId, 'from a read')).toBe(false)
    })
  })
}
