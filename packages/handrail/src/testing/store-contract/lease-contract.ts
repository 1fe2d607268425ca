import { describe, expect, it } from 'vitest'
import type { Store } from '../../store/store.ts'
import {
  asked,
  countOf,
  freshTenant,
  inParallel,
  isDue,
  leased,
  lostLease,
  runEnding,
  sampleCall,
  sampleMessage,
  sampleStep,
  startAgain,
  startedRun,
} from './samples.ts'

/** Leases, the steps that are written through them, and waking. */
export function leaseContract(store: () => Store): void {
  describe('leases', () => {
    it('are held by one of many who want them, by the clock of the store', async () => {
      const tenantId = freshTenant()
      const run = await startedRun(store(), tenantId)
      const leases = await inParallel(20, (index) =>
        store().runs.acquire(tenantId, run.runId, `worker-${index}`, 60_000),
      )
      expect(countOf(leases, (lease) => lease !== undefined)).toBe(1)
      const stored = await store().runs.get(tenantId, run.runId)
      const [lease] = leases.filter((candidate) => candidate !== undefined)
      expect(stored).toMatchObject({ leaseToken: lease?.token, leaseUntil: lease?.until })
      expect(stored?.leaseOwner).toMatch(/^worker-/)
    })

    it('that ran out can be taken over; the old token changes nothing then', async () => {
      const tenantId = freshTenant()
      const { run, lost, held } = await lostLease(store(), tenantId)
      const before = await store().runs.get(tenantId, run.runId)
      await startAgain(store(), tenantId, run.threadId, sampleMessage('queued'))
      expect(await store().runs.renew(tenantId, lost, 60_000)).toBe(false)
      expect(await store().runs.recordStep(tenantId, lost, sampleStep(run.runId, 0), 10)).toBe(false)
      expect(await store().runs.deliverQueued(tenantId, lost)).toEqual([])
      expect(await store().runs.release(tenantId, lost, { status: 'waiting', activeMs: 10 })).toBe(false)
      expect(await store().runs.end(tenantId, lost, runEnding('done'))).toBe('lost')
      expect(await store().runs.get(tenantId, run.runId)).toMatchObject({
        status: 'running',
        step: 0,
        activeMs: 0,
        leaseToken: held.token,
        leaseUntil: before?.leaseUntil,
      })
      expect(await store().runs.steps(tenantId, run.threadId)).toEqual([])
      expect(await store().runs.renew(tenantId, held, 60_000)).toBe(true)
    })

    it('that ran out still count as long as nobody has taken them over', async () => {
      const tenantId = freshTenant()
      const run = await startedRun(store(), tenantId)
      const lease = await leased(store(), run, -1_000)
      expect(await store().runs.recordStep(tenantId, lease, sampleStep(run.runId, 0), 10)).toBe(true)
      expect(await store().runs.renew(tenantId, lease, 60_000)).toBe(true)
      expect(await store().runs.acquire(tenantId, run.runId, 'worker-2', 60_000)).toBeUndefined()
    })

    it('can be renewed to run out', async () => {
      const tenantId = freshTenant()
      const run = await startedRun(store(), tenantId)
      expect(await store().runs.renew(tenantId, await leased(store(), run), -1_000)).toBe(true)
      expect(await store().runs.acquire(tenantId, run.runId, 'worker-2', 60_000)).toBeDefined()
    })

    it('are free after release, and gone after the end', async () => {
      const tenantId = freshTenant()
      const run = await startedRun(store(), tenantId)
      const first = await leased(store(), run)
      expect(await store().runs.release(tenantId, first, { status: 'waiting', activeMs: 10 })).toBe(true)
      expect(await store().runs.get(tenantId, run.runId)).toMatchObject({
        status: 'waiting',
        activeMs: 10,
        leaseOwner: undefined,
        leaseToken: undefined,
        leaseUntil: undefined,
      })
      expect(await store().runs.renew(tenantId, first, 60_000)).toBe(false)
      const second = await leased(store(), run)
      expect(await store().runs.get(tenantId, run.runId)).toMatchObject({ status: 'running' })
      expect(await store().runs.end(tenantId, second, { ...runEnding('failed'), error: 'the model is away' })).toBe(
        'ended',
      )
      const ended = await store().runs.get(tenantId, run.runId)
      expect(ended).toMatchObject({
        status: 'failed',
        finishReason: 'stop',
        error: 'the model is away',
        activeMs: 300,
        leaseToken: undefined,
      })
      expect(ended?.endedAt).toBeInstanceOf(Date)
      expect(await store().runs.acquire(tenantId, run.runId, 'worker-1', 60_000)).toBeUndefined()
      expect(await store().runs.end(tenantId, second, runEnding('done'))).toBe('lost')
    })

    it('of one run do not write another', async () => {
      const tenantId = freshTenant()
      const [mine, other] = [await startedRun(store(), tenantId), await startedRun(store(), tenantId)]
      const lease = await leased(store(), mine)
      await leased(store(), other)
      expect(await store().runs.renew(tenantId, { ...lease, runId: other.runId }, 60_000)).toBe(false)
    })
  })

  describe('steps', () => {
    it('are written once, in order, and counted', async () => {
      const tenantId = freshTenant()
      const run = await startedRun(store(), tenantId)
      const lease = await leased(store(), run)
      const first = sampleStep(run.runId, 0)
      expect(await store().runs.recordStep(tenantId, lease, first, 10)).toBe(true)
      expect(await store().runs.recordStep(tenantId, lease, { ...sampleStep(run.runId, 0), model: 'other' }, 11)).toBe(
        false,
      )
      expect(await store().runs.recordStep(tenantId, lease, sampleStep(run.runId, 2), 12)).toBe(false)
      expect(await store().runs.recordStep(tenantId, lease, sampleStep(run.runId, 1), 20)).toBe(true)
      const steps = await store().runs.steps(tenantId, run.threadId)
      expect(steps).toHaveLength(2)
      expect(steps[0]).toMatchObject(first)
      expect(steps[1]?.position).toBeGreaterThan(steps[0]?.position ?? Number.POSITIVE_INFINITY)
      expect(await store().runs.get(tenantId, run.runId)).toMatchObject({
        step: 2,
        activeMs: 20,
        usage: { inputTokens: 200, outputTokens: 40 },
      })
    })

    it('of all runs of a thread stand in order', async () => {
      const tenantId = freshTenant()
      const first = await startedRun(store(), tenantId)
      const lease = await leased(store(), first)
      await store().runs.recordStep(tenantId, lease, sampleStep(first.runId, 0), 10)
      await store().runs.end(tenantId, lease, runEnding('done'))
      const second = await startedRun(store(), tenantId, first.threadId)
      await store().runs.recordStep(tenantId, await leased(store(), second), sampleStep(second.runId, 0), 10)
      const steps = await store().runs.steps(tenantId, first.threadId)
      expect(steps.map(({ runId }) => runId)).toEqual([first.runId, second.runId])
    })
  })

  describe('waking', () => {
    it('is due for a new run, a run whose holder is gone, and no run that is held or has ended', async () => {
      const tenantId = freshTenant()
      const run = await startedRun(store(), tenantId)
      expect(await isDue(store(), run.runId)).toBe(true)
      const lease = await leased(store(), run)
      expect(await isDue(store(), run.runId)).toBe(false)
      await store().runs.renew(tenantId, lease, -1_000)
      expect(await isDue(store(), run.runId)).toBe(true)
      await store().runs.end(tenantId, lease, runEnding('done'))
      expect(await isDue(store(), run.runId)).toBe(false)
      expect((await store().runs.due(1)).length).toBeLessThanOrEqual(1)
    })

    it('is due when its time has come, and not before', async () => {
      const tenantId = freshTenant()
      const run = await startedRun(store(), tenantId)
      const later = new Date(Date.now() + 3_600_000)
      await store().runs.release(tenantId, await leased(store(), run), {
        status: 'running',
        wakeAt: later,
        activeMs: 0,
      })
      expect(await isDue(store(), run.runId)).toBe(false)
      expect(await store().runs.get(tenantId, run.runId)).toMatchObject({ wakeAt: later })
      await store().runs.release(tenantId, await leased(store(), run), {
        status: 'waiting',
        wakeAt: new Date(0),
        activeMs: 0,
      })
      expect(await isDue(store(), run.runId)).toBe(true)
    })

    it('is due for a run that waits when nothing it could wait for is open any more', async () => {
      const tenantId = freshTenant()
      const run = await startedRun(store(), tenantId)
      const { call } = await asked(store(), sampleCall(tenantId, { runId: run.runId }))
      await store().runs.release(tenantId, await leased(store(), run), { status: 'waiting', activeMs: 0 })
      expect(await isDue(store(), run.runId)).toBe(false)
      const declined = { status: 'declined', code: 'DECLINED', description: 'Declined' } as const
      await store().calls.endWaiting(tenantId, call.callId, declined)
      expect(await isDue(store(), run.runId)).toBe(true)
    })

    it('that is asked for reaches a waiting run, also one whose holder is just about to let it wait', async () => {
      const tenantId = freshTenant()
      const run = await startedRun(store(), tenantId)
      await asked(store(), sampleCall(tenantId, { runId: run.runId }))
      await store().runs.release(tenantId, await leased(store(), run), { status: 'waiting', activeMs: 0 })
      await store().runs.requestWake(tenantId, run.runId)
      expect(await isDue(store(), run.runId)).toBe(true)
      const lease = await leased(store(), run)
      await store().runs.requestWake(tenantId, run.runId)
      await store().runs.release(tenantId, lease, { status: 'waiting', activeMs: 0 })
      expect(await isDue(store(), run.runId)).toBe(true)
      await store().runs.release(tenantId, await leased(store(), run), { status: 'waiting', activeMs: 0 })
      expect(await isDue(store(), run.runId)).toBe(false)
    })

    it('follows a cancel request; an ended run stays as it ended', async () => {
      const tenantId = freshTenant()
      const run = await startedRun(store(), tenantId)
      await store().runs.release(tenantId, await leased(store(), run), { status: 'waiting', activeMs: 0 })
      expect(await store().runs.requestCancel(tenantId, run.runId)).toMatchObject({ cancelRequested: true })
      expect(await isDue(store(), run.runId)).toBe(true)
      const lease = await leased(store(), run)
      expect(await store().runs.get(tenantId, run.runId)).toMatchObject({ cancelRequested: true })
      await store().runs.end(tenantId, lease, runEnding('cancelled'))
      const ended = await store().runs.get(tenantId, run.runId)
      expect(await store().runs.requestCancel(tenantId, run.runId)).toEqual(ended)
      await store().runs.requestWake(tenantId, run.runId)
      expect(await isDue(store(), run.runId)).toBe(false)
    })
  })
}
