import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../store/store.ts'
import { asked, claimed, fenceOf, freshTenant, sampleCall, sampleEnding, sampleUser } from './samples.ts'

/** Lists: filters, order and cursors. */
export function listContract(store: () => Store): void {
  describe('lists of calls', () => {
    it('give what every filter asks for, newest first', async () => {
      const tenantId = freshTenant()
      const [runId, threadId] = [randomUUID(), randomUUID()]
      const first = await claimed(store(), sampleCall(tenantId, { runId, threadId }))
      const second = await claimed(
        store(),
        sampleCall(tenantId, { runId, pack: 'gameplan', toolName: 'create_project' }),
      )
      const third = await claimed(store(), sampleCall(tenantId, { principal: sampleUser(tenantId, 'bob') }))
      await store().calls.finish(fenceOf(third), sampleEnding(third))
      const find = async (filter: Parameters<Store['calls']['list']>[1]) =>
        (await store().calls.list(tenantId, filter)).items.map(({ callId }) => callId)
      const [one, two, three] = [first.callId, second.callId, third.callId]
      expect(await find({})).toEqual([three, two, one])
      expect(await find({ runId })).toEqual([two, one])
      expect(await find({ threadId })).toEqual([one])
      expect(await find({ pack: 'gameplan' })).toEqual([two])
      expect(await find({ toolName: 'rename_page' })).toEqual([three, one])
      expect(await find({ userId: 'bob' })).toEqual([three])
      expect(await find({ status: 'running' })).toEqual([two, one])
      expect(await find({ runId, status: 'done' })).toEqual([])
      expect(await find({ from: first.createdAt })).toEqual([three, two, one])
      expect(await find({ from: new Date(Date.now() + 3_600_000) })).toEqual([])
      expect(await find({ to: new Date(Date.now() - 3_600_000) })).toEqual([])
      expect(await find({ to: first.createdAt })).toEqual([])
    })

    it('go on where the cursor says, whatever was added meanwhile', async () => {
      const tenantId = freshTenant()
      const ids: string[] = []
      for (let count = 0; count < 7; count += 1) ids.unshift((await claimed(store(), sampleCall(tenantId))).callId)
      const seen: string[] = []
      let cursor: string | undefined
      let pages = 0
      do {
        const page = await store().calls.list(tenantId, { limit: 3, ...(cursor === undefined ? {} : { cursor }) })
        seen.push(...page.items.map(({ callId }) => callId))
        cursor = page.nextCursor
        pages += 1
        await claimed(store(), sampleCall(tenantId))
      } while (cursor !== undefined)
      expect(seen).toEqual(ids)
      expect(pages).toBe(3)
    })

    it('end without a cursor when the last page is full', async () => {
      const tenantId = freshTenant()
      await claimed(store(), sampleCall(tenantId))
      await claimed(store(), sampleCall(tenantId))
      const page = await store().calls.list(tenantId, { limit: 2 })
      expect(page.items).toHaveLength(2)
      expect(page.nextCursor).toBeUndefined()
    })

    it('page through what a filter leaves', async () => {
      const tenantId = freshTenant()
      for (let count = 0; count < 8; count += 1) {
        await claimed(store(), sampleCall(tenantId, { toolName: count % 2 === 0 ? 'even' : 'odd' }))
      }
      const first = await store().calls.list(tenantId, { toolName: 'odd', limit: 3 })
      expect(first.items).toHaveLength(3)
      const rest = await store().calls.list(tenantId, { toolName: 'odd', limit: 3, cursor: first.nextCursor ?? '' })
      expect(rest.items).toHaveLength(1)
      expect(rest.items[0]?.toolName).toBe('odd')
      expect(rest.nextCursor).toBeUndefined()
    })

    it('find nothing behind a cursor that is not theirs', async () => {
      const tenantId = freshTenant()
      await claimed(store(), sampleCall(tenantId))
      for (const cursor of ['', 'nonsense', '-1', "'; drop table calls; --", '99999999999999999999']) {
        const page = await store()
          .calls.list(tenantId, { cursor })
          .catch(() => ({ items: [] }))
        expect(page.items.length).toBeLessThanOrEqual(1)
      }
      expect((await store().calls.list(tenantId, { cursor: 'nonsense' })).items).toEqual([])
    })
  })

  describe('lists of approvals', () => {
    it('give what every filter asks for, newest first, in pages', async () => {
      const tenantId = freshTenant()
      const [runId, threadId] = [randomUUID(), randomUUID()]
      const first = await asked(store(), sampleCall(tenantId, { threadId }))
      const second = await asked(store(), sampleCall(tenantId, { runId }))
      await store().approvals.withdraw(tenantId, first.approval.approvalId)
      const find = async (filter: Parameters<Store['approvals']['list']>[1]) =>
        (await store().approvals.list(tenantId, filter)).items.map(({ approvalId }) => approvalId)
      const [one, two] = [first.approval.approvalId, second.approval.approvalId]
      expect(await find({})).toEqual([two, one])
      expect(await find({ status: 'pending' })).toEqual([two])
      expect(await find({ status: 'withdrawn' })).toEqual([one])
      expect(await find({ threadId })).toEqual([one])
      expect(await find({ runId })).toEqual([two])
      const page = await store().approvals.list(tenantId, { limit: 1 })
      expect(page.items[0]?.approvalId).toBe(two)
      expect(await find({ limit: 1, cursor: page.nextCursor ?? '' })).toEqual([one])
    })
  })
}
