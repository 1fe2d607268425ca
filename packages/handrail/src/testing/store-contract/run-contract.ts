import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../store/store.ts'
import {
  asked,
  countOf,
  freshTenant,
  inParallel,
  isDue,
  leased,
  runEnding,
  sampleCall,
  sampleMessage,
  sampleStep,
  startAgain,
  startedRun,
} from './samples.ts'

/** Runs, and messages that come in while one is live. */
export function runContract(store: () => Store): void {
  describe('runs', () => {
    it('start with their message, and are there to be found', async () => {
      const tenantId = freshTenant()
      const run = await startedRun(store(), tenantId)
      expect(run).toMatchObject({
        status: 'running',
        step: 0,
        activeMs: 0,
        usage: { inputTokens: 0, outputTokens: 0 },
        cancelRequested: false,
        leaseToken: undefined,
        endedAt: undefined,
      })
      expect(await store().runs.get(tenantId, run.runId)).toEqual(run)
      const [message] = await store().runs.messages(tenantId, run.threadId)
      expect(message).toMatchObject({
        role: 'user',
        runId: run.runId,
        parts: [{ type: 'text', text: 'Rename the page' }],
      })
      expect(
        (await store().runs.list(tenantId, { threadId: run.threadId, userId: 'alice', status: 'running' })).items,
      ).toEqual([run])
      expect((await store().runs.list(tenantId, { userId: 'bob' })).items).toEqual([])
      expect((await store().runs.list(tenantId, { status: 'done' })).items).toEqual([])
    })

    it('are live once a thread, however many start at the same time', async () => {
      const tenantId = freshTenant()
      const { threadId, runId } = await startedRun(store(), tenantId)
      const first = await store().runs.get(tenantId, runId)
      if (first === undefined) throw new Error('the run is missing')
      const lease = await leased(store(), first)
      expect(await store().runs.end(tenantId, lease, runEnding('done'))).toBe('ended')
      const outcomes = await inParallel(10, (index) =>
        startAgain(store(), tenantId, threadId, sampleMessage(`message ${index}`)),
      )
      expect(countOf(outcomes, ({ kind }) => kind === 'started')).toBe(1)
      const runs = outcomes.flatMap((outcome) => ('run' in outcome ? [outcome.run] : []))
      const [live] = runs
      expect(runs).toHaveLength(10)
      expect(new Set(runs.map((run) => run.runId)).size).toBe(1)
      if (live === undefined) throw new Error('no run was started')
      const delivered = await store().runs.deliverQueued(tenantId, await leased(store(), live))
      expect(delivered).toHaveLength(9)
      expect(await store().runs.messages(tenantId, threadId)).toHaveLength(11)
    })

    it('start one after the other on a thread', async () => {
      const tenantId = freshTenant()
      const first = await startedRun(store(), tenantId)
      await store().runs.end(tenantId, await leased(store(), first), runEnding('done'))
      const second = await startAgain(store(), tenantId, first.threadId)
      expect(second).toMatchObject({ kind: 'started', run: { runId: expect.not.stringMatching(first.runId) } })
    })

    it('start as often as a limit allows, and store nothing beyond it; a queued message spends nothing', async () => {
      const tenantId = freshTenant()
      const quotas = [{ key: 'runs:alice', limit: 2, windowMs: 3_600_000 }]
      const { threadId, ...first } = await startedRun(store(), tenantId)
      await store().runs.end(tenantId, await leased(store(), { ...first, threadId }), runEnding('done'))
      const startOne = async () => {
        const outcome = await startAgain(store(), tenantId, threadId, sampleMessage(), quotas)
        if (outcome.kind !== 'started') return outcome
        expect(await startAgain(store(), tenantId, threadId, sampleMessage(), quotas)).toMatchObject({ kind: 'live' })
        await store().runs.end(tenantId, await leased(store(), outcome.run), runEnding('cancelled'))
        return outcome
      }
      expect(await startOne()).toMatchObject({ kind: 'started' })
      expect(await startOne()).toMatchObject({ kind: 'started' })
      const before = await store().runs.messages(tenantId, threadId)
      expect(await startOne()).toMatchObject({ kind: 'limited', quota: quotas[0], retryAt: expect.any(Date) })
      expect(await store().runs.messages(tenantId, threadId)).toEqual(before)
    })

    it('need a thread', async () => {
      await expect(startAgain(store(), freshTenant(), randomUUID())).rejects.toThrow()
    })
  })

  describe('messages while a run is live', () => {
    it('wait in order, each once, until they are delivered after the last step', async () => {
      const tenantId = freshTenant()
      const run = await startedRun(store(), tenantId)
      const lease = await leased(store(), run)
      const [one, two] = [sampleMessage('one'), sampleMessage('two')]
      for (const message of [one, two, one]) {
        expect(await startAgain(store(), tenantId, run.threadId, message)).toMatchObject({
          kind: 'live',
          run: { runId: run.runId },
        })
      }
      expect(await store().runs.messages(tenantId, run.threadId)).toHaveLength(1)
      await store().runs.recordStep(tenantId, lease, sampleStep(run.runId, 0), 10)
      const delivered = await store().runs.deliverQueued(tenantId, lease)
      expect(delivered.map(({ messageId }) => messageId)).toEqual([one.messageId, two.messageId])
      const [step] = await store().runs.steps(tenantId, run.threadId)
      const [first, second] = delivered
      expect(first).toMatchObject({ role: 'user', runId: run.runId })
      expect(first?.position).toBeGreaterThan(step?.position ?? Number.POSITIVE_INFINITY)
      expect(second?.position).toBeGreaterThan(first?.position ?? Number.POSITIVE_INFINITY)
      expect(await store().runs.deliverQueued(tenantId, lease)).toEqual([])
      expect(await startAgain(store(), tenantId, run.threadId, one)).toMatchObject({ kind: 'live' })
      expect(await store().runs.deliverQueued(tenantId, lease)).toEqual([])
      expect(await store().runs.messages(tenantId, run.threadId)).toHaveLength(3)
    })

    it('are not left unanswered: the run cannot end as done before they are delivered', async () => {
      const tenantId = freshTenant()
      const run = await startedRun(store(), tenantId)
      const lease = await leased(store(), run)
      await startAgain(store(), tenantId, run.threadId)
      expect(await store().runs.end(tenantId, lease, runEnding('done'))).toBe('queued')
      expect(await store().runs.get(tenantId, run.runId)).toMatchObject({ status: 'running' })
      expect(await store().runs.deliverQueued(tenantId, lease)).toHaveLength(1)
      expect(await store().runs.end(tenantId, lease, runEnding('done'))).toBe('ended')
    })

    it('stay in the thread when the run fails or is cancelled', async () => {
      const tenantId = freshTenant()
      const run = await startedRun(store(), tenantId)
      const lease = await leased(store(), run)
      await startAgain(store(), tenantId, run.threadId)
      expect(await store().runs.end(tenantId, lease, runEnding('cancelled'))).toBe('ended')
      expect(await store().runs.messages(tenantId, run.threadId)).toHaveLength(2)
    })

    it('wake a run that waits', async () => {
      const tenantId = freshTenant()
      const run = await startedRun(store(), tenantId)
      await asked(store(), sampleCall(tenantId, { runId: run.runId }))
      await store().runs.release(tenantId, await leased(store(), run), { status: 'waiting', activeMs: 10 })
      expect(await isDue(store(), run.runId)).toBe(false)
      await startAgain(store(), tenantId, run.threadId)
      expect(await isDue(store(), run.runId)).toBe(true)
    })
  })
}
