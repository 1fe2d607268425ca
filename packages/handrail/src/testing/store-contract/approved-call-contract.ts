import { describe, expect, it } from 'vitest'
import type { Store } from '../../store/store.ts'
import {
  approved,
  approvedClaim,
  asked,
  claimed,
  countOf,
  eventsOf,
  fenceOf,
  freshTenant,
  inParallel,
  lostLease,
  sampleApproval,
  sampleCall,
  sampleDecision,
  sampleEnding,
  samplePayload,
} from './samples.ts'

const minuteMs = 60_000
const longPast = new Date('2001-01-01T00:00:00Z')

/** Executing once what was approved, and ending what was not. */
export function approvedCallContract(store: () => Store): void {
  describe('an approved call', () => {
    it('starts once, of 50 who want to', async () => {
      const tenantId = freshTenant()
      const { call, approval } = await approved(store(), tenantId)
      const outcomes = await inParallel(50, () => store().calls.claim(approvedClaim(call, approval)))
      expect(countOf(outcomes, ({ kind }) => kind === 'claimed')).toBe(1)
      expect(countOf(outcomes, (outcome) => outcome.kind === 'not-approved' && outcome.why === 'used')).toBe(49)
      expect(await store().calls.get(tenantId, call.callId)).toMatchObject({ status: 'running', attempt: 1 })
      expect(await store().approvals.get(tenantId, approval.approvalId)).toMatchObject({ status: 'used' })
      expect(await eventsOf(store(), tenantId, call.callId)).toEqual([
        'asked awaiting_approval',
        'decided awaiting_approval',
        'started running',
      ])
    })

    it('does not start again after its end', async () => {
      const tenantId = freshTenant()
      const { call, approval } = await approved(store(), tenantId)
      const running = await claimed(store(), call, approvedClaim(call, approval))
      await store().calls.finish(fenceOf(running), sampleEnding(running))
      expect(await store().calls.claim(approvedClaim(call, approval))).toMatchObject({
        kind: 'not-approved',
        why: 'used',
        call: { status: 'done' },
      })
    })

    it('does not start while pending, declined, withdrawn, late or missing', async () => {
      const tenantId = freshTenant()
      const whyNot = async (prepare: (approvalId: string) => Promise<unknown>, executeWithinMs?: number) => {
        const { call, approval } =
          executeWithinMs === undefined
            ? await asked(store(), sampleCall(tenantId))
            : await approved(store(), tenantId, executeWithinMs)
        await prepare(approval.approvalId)
        const outcome = await store().calls.claim(approvedClaim(call, approval))
        expect(await store().calls.get(tenantId, call.callId)).toMatchObject({
          status: 'awaiting_approval',
          attempt: 0,
        })
        return outcome.kind === 'not-approved' ? outcome.why : outcome.kind
      }
      const { approvals } = store()
      expect(await whyNot(async () => {})).toBe('pending')
      expect(
        await whyNot((approvalId) =>
          approvals.decide(tenantId, approvalId, sampleDecision(tenantId, 'decline'), minuteMs),
        ),
      ).toBe('declined')
      expect(await whyNot((approvalId) => approvals.withdraw(tenantId, approvalId))).toBe('withdrawn')
      expect(await whyNot((approvalId) => approvals.withdraw(tenantId, approvalId), minuteMs)).toBe('withdrawn')
      expect(await whyNot(async () => {}, -1_000)).toBe('expired')
      const { call } = await approved(store(), tenantId)
      expect(await store().calls.claim(approvedClaim(call, sampleApproval(call)))).toMatchObject({
        kind: 'not-approved',
        why: 'missing',
      })
    })

    it('does not start on the approval of another call', async () => {
      const tenantId = freshTenant()
      const { call } = await asked(store(), sampleCall(tenantId))
      const other = await approved(store(), tenantId)
      expect(await store().calls.claim(approvedClaim(call, other.approval))).toMatchObject({
        kind: 'not-approved',
        why: 'missing',
      })
      expect(await store().approvals.get(tenantId, other.approval.approvalId)).toMatchObject({ status: 'approved' })
    })

    it('does not start with another digest than the one that was approved', async () => {
      const tenantId = freshTenant()
      const { call, approval } = await approved(store(), tenantId)
      const { digest } = samplePayload(call, { title: 'Else' })
      expect(await store().calls.claim(approvedClaim(call, { ...approval, digest }))).toMatchObject({
        kind: 'not-approved',
        why: 'changed',
      })
      expect(await store().calls.claim(approvedClaim(call, approval))).toMatchObject({ kind: 'claimed' })
    })

    it('keeps its approval when a quota or the lease stops it', async () => {
      const tenantId = freshTenant()
      const { lost } = await lostLease(store(), tenantId)
      const { call, approval } = await approved(store(), tenantId)
      const quotas = [{ key: 'calls:alice', limit: 0, windowMs: 0 }]
      expect(await store().calls.claim(approvedClaim(call, approval, { quotas }))).toMatchObject({ kind: 'limited' })
      expect(await store().calls.claim(approvedClaim(call, approval, { lease: lost }))).toEqual({ kind: 'lease-lost' })
      expect(await store().calls.claim(approvedClaim(call, approval))).toMatchObject({ kind: 'claimed' })
    })
  })

  describe('a waiting call', () => {
    const declined = { status: 'declined', code: 'DECLINED', description: 'Not renamed' } as const

    it('ends without having started, once, and closes its approval', async () => {
      const tenantId = freshTenant()
      const { call, approval } = await asked(store(), sampleCall(tenantId))
      const result = { success: false, error: 'Declined', code: 'DECLINED' } as const
      const payload = { ...samplePayload(call, { title: 'Home' }), ...call.payload, result }
      const outcomes = await inParallel(5, () =>
        store().calls.endWaiting(tenantId, call.callId, { ...declined, payload }),
      )
      expect(countOf(outcomes, (ended) => ended !== undefined)).toBe(1)
      expect(await store().calls.get(tenantId, call.callId)).toMatchObject({
        ...declined,
        payload: { result },
        executedAt: undefined,
      })
      expect(await store().approvals.get(tenantId, approval.approvalId)).toMatchObject({ status: 'withdrawn' })
      expect(await eventsOf(store(), tenantId, call.callId)).toEqual(['asked awaiting_approval', 'ended declined'])
    })

    it('keeps the decision that ended it', async () => {
      const tenantId = freshTenant()
      const { call, approval } = await asked(store(), sampleCall(tenantId))
      await store().approvals.decide(tenantId, approval.approvalId, sampleDecision(tenantId, 'decline'), minuteMs)
      await store().calls.endWaiting(tenantId, call.callId, declined)
      expect(await store().approvals.get(tenantId, approval.approvalId)).toMatchObject({ status: 'declined' })
      expect(await store().calls.get(tenantId, call.callId)).toMatchObject({ payload: { input: { title: 'Home' } } })
    })

    it('does not start after it ended, approved or not', async () => {
      const tenantId = freshTenant()
      const { call, approval } = await approved(store(), tenantId)
      await store().calls.endWaiting(tenantId, call.callId, { ...declined, status: 'cancelled', code: 'CANCELLED' })
      expect(await store().calls.claim(approvedClaim(call, approval))).toMatchObject({
        kind: 'not-approved',
        call: { status: 'cancelled' },
      })
    })

    it('is the only one that ends this way', async () => {
      const tenantId = freshTenant()
      const running = await claimed(store(), sampleCall(tenantId))
      expect(await store().calls.endWaiting(tenantId, running.callId, declined)).toBeUndefined()
      expect(await store().calls.get(tenantId, running.callId)).toMatchObject({ status: 'running' })
    })
  })

  describe('for the reconciler', () => {
    it('approvals past their time expire, and are given until their call has ended', async () => {
      const tenantId = freshTenant()
      const undecided = await asked(store(), sampleCall(tenantId), { decideBy: longPast })
      const unexecuted = await approved(store(), tenantId, -1_000)
      const inTime = await asked(store(), sampleCall(tenantId))
      const mine = async () =>
        (await store().approvals.expireDue(10_000)).filter((approval) => approval.tenantId === tenantId)
      const expired = await mine()
      expect(new Set(expired.map(({ approvalId }) => approvalId))).toEqual(
        new Set([undecided.approval.approvalId, unexecuted.approval.approvalId]),
      )
      expect(expired.every(({ status }) => status === 'expired')).toBe(true)
      expect(await store().approvals.get(tenantId, inTime.approval.approvalId)).toMatchObject({ status: 'pending' })
      expect(await mine()).toHaveLength(2)
      for (const { callId } of expired) {
        await store().calls.endWaiting(tenantId, callId, {
          status: 'expired',
          code: 'EXPIRED',
          description: 'Too late',
        })
      }
      expect(await mine()).toEqual([])
    })

    it('decided calls that still wait are given until they start or end', async () => {
      const tenantId = freshTenant()
      const yes = await approved(store(), tenantId)
      const no = await asked(store(), sampleCall(tenantId))
      await store().approvals.decide(tenantId, no.approval.approvalId, sampleDecision(tenantId, 'decline'), minuteMs)
      await asked(store(), sampleCall(tenantId))
      const mine = async () =>
        (await store().approvals.undone(10_000))
          .filter((approval) => approval.tenantId === tenantId)
          .map(({ approvalId }) => approvalId)
      expect(new Set(await mine())).toEqual(new Set([yes.approval.approvalId, no.approval.approvalId]))
      await store().calls.claim(approvedClaim(yes.call, yes.approval))
      await store().calls.endWaiting(tenantId, no.call.callId, {
        status: 'declined',
        code: 'DECLINED',
        description: 'Not renamed',
      })
      expect(await mine()).toEqual([])
    })
  })
}
