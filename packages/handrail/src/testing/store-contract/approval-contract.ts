import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../store/store.ts'
import {
  approved,
  approvedClaim,
  asked,
  claimed,
  countOf,
  entriesOf,
  eventsOf,
  freshTenant,
  inParallel,
  lostLease,
  sampleApproval,
  sampleCall,
  sampleDecision,
  samplePayload,
} from './samples.ts'

const minuteMs = 60_000
const longPast = new Date('2001-01-01T00:00:00Z')

/** Asking, and deciding once. */
export function approvalContract(store: () => Store): void {
  describe('ask', () => {
    it('stores a waiting call and its pending approval, on record', async () => {
      const tenantId = freshTenant()
      const { call, approval } = await asked(store(), sampleCall(tenantId))
      expect(await store().calls.get(tenantId, call.callId)).toMatchObject({
        status: 'awaiting_approval',
        attempt: 0,
        approvalId: approval.approvalId,
        executedAt: undefined,
      })
      const { createdAt, ...kept } = approval
      expect(await store().approvals.get(tenantId, approval.approvalId)).toMatchObject(kept)
      expect(await eventsOf(store(), tenantId, call.callId)).toEqual(['asked awaiting_approval'])
      expect((await entriesOf(store(), tenantId, call.callId))[0]).toMatchObject({
        approvalId: approval.approvalId,
        userId: 'alice',
      })
    })

    it('asks once for a key, and gives the waiting call to whoever asks again', async () => {
      const tenantId = freshTenant()
      const outcomes = await inParallel(10, () => {
        const call = sampleCall(tenantId, { idempotencyKey: 'key-1' })
        return store().calls.ask(call, sampleApproval(call), [])
      })
      expect(countOf(outcomes, ({ kind }) => kind === 'asked')).toBe(1)
      expect(countOf(outcomes, ({ kind }) => kind === 'existing')).toBe(9)
      expect((await store().approvals.list(tenantId, {})).items).toHaveLength(1)
    })

    it('spends quotas and stores nothing beyond them', async () => {
      const tenantId = freshTenant()
      const quotas = [{ key: 'calls:alice', limit: 3, windowMs: 3_600_000 }]
      const outcomes = await inParallel(20, () => {
        const call = sampleCall(tenantId)
        return store().calls.ask(call, sampleApproval(call), quotas)
      })
      expect(countOf(outcomes, ({ kind }) => kind === 'asked')).toBe(3)
      expect((await store().approvals.list(tenantId, {})).items).toHaveLength(3)
    })

    it('stores nothing for a holder whose lease is lost', async () => {
      const tenantId = freshTenant()
      const { lost } = await lostLease(store(), tenantId)
      const call = sampleCall(tenantId)
      const approval = sampleApproval(call)
      expect(await store().calls.ask(call, approval, [], lost)).toEqual({ kind: 'lease-lost' })
      expect(await store().calls.get(tenantId, call.callId)).toBeUndefined()
      expect(await store().approvals.get(tenantId, approval.approvalId)).toBeUndefined()
    })

    it('asks anew for a waiting call: the earlier approval is withdrawn, even when it was given', async () => {
      const tenantId = freshTenant()
      const { call, approval } = await approved(store(), tenantId)
      const changed = {
        ...call,
        toolVersion: 2,
        payload: samplePayload({ ...call, toolVersion: 2 }, { title: 'Start' }),
      }
      const again = sampleApproval(changed)
      expect(await store().calls.ask(changed, again, [])).toEqual({ kind: 'asked' })
      expect(await store().approvals.get(tenantId, approval.approvalId)).toMatchObject({ status: 'withdrawn' })
      expect(await store().approvals.get(tenantId, again.approvalId)).toMatchObject({ status: 'pending' })
      expect(await store().calls.get(tenantId, call.callId)).toMatchObject({
        toolVersion: 2,
        approvalId: again.approvalId,
        payload: { input: { title: 'Start' } },
      })
      expect(await store().calls.claim(approvedClaim(call, approval))).toMatchObject({
        kind: 'not-approved',
        why: 'withdrawn',
      })
    })

    it('asks anew once, however many find at once that the approval it waits under is no longer good', async () => {
      const tenantId = freshTenant()
      const { call, approval } = await approved(store(), tenantId)
      const waiting = { ...call, approvalId: approval.approvalId }
      const outcomes = await inParallel(5, () => store().calls.ask(waiting, sampleApproval(call), []))
      expect(countOf(outcomes, ({ kind }) => kind === 'asked')).toBe(1)
      expect(countOf(outcomes, ({ kind }) => kind === 'existing')).toBe(4)
      const pending = await store().approvals.list(tenantId, { status: 'pending' })
      expect(pending.items).toHaveLength(1)
      expect(await store().calls.get(tenantId, call.callId)).toMatchObject({
        approvalId: pending.items[0]?.approvalId,
      })
    })

    it('does not ask for a call that has started', async () => {
      const tenantId = freshTenant()
      const call = await claimed(store(), sampleCall(tenantId))
      expect(await store().calls.ask(call, sampleApproval(call), [])).toMatchObject({
        kind: 'existing',
        call: { status: 'running' },
      })
    })
  })

  describe('decide', () => {
    it('stores who decided what and when, on record', async () => {
      const tenantId = freshTenant()
      const { call, approval } = await asked(store(), sampleCall(tenantId))
      const decision = { ...sampleDecision(tenantId, 'approve', 'bob'), reason: 'looks right' }
      const outcome = await store().approvals.decide(tenantId, approval.approvalId, decision, minuteMs)
      expect(outcome).toMatchObject({ kind: 'decided', approval: { status: 'approved', decision } })
      const stored = await store().approvals.get(tenantId, approval.approvalId)
      expect(stored?.decision?.at).toBeInstanceOf(Date)
      expect(stored?.executeBy?.getTime()).toBe((stored?.decision?.at.getTime() ?? 0) + minuteMs)
      expect((await entriesOf(store(), tenantId, call.callId)).at(-1)).toMatchObject({
        event: 'decided',
        userId: 'bob',
        actor: 'person',
      })
    })

    it('answers the same decision by the same person with the first', async () => {
      const tenantId = freshTenant()
      const { call, approval } = await asked(store(), sampleCall(tenantId))
      const decide = () =>
        store().approvals.decide(tenantId, approval.approvalId, sampleDecision(tenantId, 'decline'), minuteMs)
      const first = await decide()
      const again = await decide()
      expect(first.kind).toBe('decided')
      expect(again).toEqual({ ...first, kind: 'same' })
      expect(await eventsOf(store(), tenantId, call.callId)).toHaveLength(2)
    })

    it('answers another decision, and another person, with the first as a conflict', async () => {
      const tenantId = freshTenant()
      const { approval } = await asked(store(), sampleCall(tenantId))
      const { approvalId } = approval
      await store().approvals.decide(tenantId, approvalId, sampleDecision(tenantId, 'approve'), minuteMs)
      const other = await store().approvals.decide(tenantId, approvalId, sampleDecision(tenantId, 'decline'), minuteMs)
      expect(other).toMatchObject({
        kind: 'conflict',
        approval: { status: 'approved', decision: { by: { userId: 'alice' } } },
      })
      const bob = await store().approvals.decide(
        tenantId,
        approvalId,
        sampleDecision(tenantId, 'approve', 'bob'),
        minuteMs,
      )
      expect(bob.kind).toBe('conflict')
    })

    it('lets one of racing approvals and refusals stand', async () => {
      const tenantId = freshTenant()
      const { call, approval } = await asked(store(), sampleCall(tenantId))
      const outcomes = await inParallel(30, (index) =>
        store().approvals.decide(
          tenantId,
          approval.approvalId,
          sampleDecision(tenantId, index % 2 === 0 ? 'approve' : 'decline', `user-${index % 5}`),
          minuteMs,
        ),
      )
      expect(countOf(outcomes, ({ kind }) => kind === 'decided')).toBe(1)
      const stands = await store().approvals.get(tenantId, approval.approvalId)
      for (const outcome of outcomes) {
        if (outcome.kind !== 'missing') expect(outcome.approval.decision).toEqual(stands?.decision)
      }
      expect(await eventsOf(store(), tenantId, call.callId)).toHaveLength(2)
    })

    it('replaces the input by what the person edited, and binds the approval to that', async () => {
      const tenantId = freshTenant()
      const { call, approval } = await asked(store(), sampleCall(tenantId))
      const edited = samplePayload(call, { title: 'Start' })
      const decision = { ...sampleDecision(tenantId, 'approve'), editedDigest: edited.digest }
      const outcome = await store().approvals.decide(tenantId, approval.approvalId, decision, minuteMs, edited)
      expect(outcome).toMatchObject({
        kind: 'decided',
        approval: { digest: edited.digest, decision: { editedDigest: edited.digest } },
      })
      expect(await store().calls.get(tenantId, call.callId)).toMatchObject({ payload: edited })
      expect(await store().calls.claim(approvedClaim(call, approval))).toMatchObject({
        kind: 'not-approved',
        why: 'changed',
      })
      const run = await store().calls.claim(approvedClaim(call, { ...approval, digest: edited.digest }))
      expect(run).toMatchObject({ kind: 'claimed', call: { payload: { input: { title: 'Start' } } } })
    })

    it('takes an edited approval and an unedited one for two decisions', async () => {
      const tenantId = freshTenant()
      const { call, approval } = await asked(store(), sampleCall(tenantId))
      const edited = samplePayload(call, { title: 'Start' })
      await store().approvals.decide(tenantId, approval.approvalId, sampleDecision(tenantId, 'approve'), minuteMs)
      const decision = { ...sampleDecision(tenantId, 'approve'), editedDigest: edited.digest }
      expect(await store().approvals.decide(tenantId, approval.approvalId, decision, minuteMs, edited)).toMatchObject({
        kind: 'conflict',
      })
      expect(await store().calls.get(tenantId, call.callId)).toMatchObject({ payload: { input: { title: 'Home' } } })
    })

    it('is too late after `decideBy`: expired, and a conflict', async () => {
      const tenantId = freshTenant()
      const { approval } = await asked(store(), sampleCall(tenantId), { decideBy: longPast })
      const outcome = await store().approvals.decide(
        tenantId,
        approval.approvalId,
        sampleDecision(tenantId, 'approve'),
        minuteMs,
      )
      expect(outcome).toMatchObject({ kind: 'conflict', approval: { status: 'expired', decision: undefined } })
      expect(await store().approvals.get(tenantId, approval.approvalId)).toMatchObject({ status: 'expired' })
    })

    it('finds nothing where no such approval is', async () => {
      const tenantId = freshTenant()
      expect(
        await store().approvals.decide(tenantId, randomUUID(), sampleDecision(tenantId, 'approve'), minuteMs),
      ).toEqual({ kind: 'missing' })
    })
  })
}
