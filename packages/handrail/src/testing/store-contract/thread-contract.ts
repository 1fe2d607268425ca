import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../store/store.ts'
import { freshTenant, lostLease, sampleMessage, startedRun } from './samples.ts'

/** Threads and their messages. */
export function threadContract(store: () => Store): void {
  describe('threads', () => {
    it('keep what they are about, and who they belong to', async () => {
      const tenantId = freshTenant()
      const given = {
        threadId: randomUUID(),
        tenantId,
        userId: 'alice',
        pack: 'cms',
        scope: { siteId: 'site-1' },
        title: 'Pages',
      }
      const created = await store().runs.createThread(given)
      expect(created).toMatchObject({ ...given, untrusted: false })
      expect(await store().runs.getThread(tenantId, given.threadId)).toEqual(created)
      await store().runs.createThread({ ...given, threadId: randomUUID(), userId: 'bob' })
      expect((await store().runs.listThreads(tenantId, { userId: 'alice' })).items).toEqual([created])
    })

    it('are created once', async () => {
      const tenantId = freshTenant()
      const given = { threadId: randomUUID(), tenantId, userId: 'alice', pack: 'cms', scope: {}, title: 'Pages' }
      await store().runs.createThread(given)
      await expect(store().runs.createThread({ ...given, title: 'Others' })).rejects.toThrow()
      expect(await store().runs.getThread(tenantId, given.threadId)).toMatchObject({ title: 'Pages' })
    })

    it('stay untrusted once they are', async () => {
      const tenantId = freshTenant()
      const { threadId } = await startedRun(store(), tenantId)
      await store().runs.markUntrusted(tenantId, threadId)
      await store().runs.saveMessage(tenantId, { ...sampleMessage(), threadId, role: 'assistant', runId: undefined })
      expect(await store().runs.getThread(tenantId, threadId)).toMatchObject({ untrusted: true })
    })

    it('are listed newest first, in pages', async () => {
      const tenantId = freshTenant()
      const ids: string[] = []
      for (let count = 0; count < 5; count += 1) ids.unshift((await startedRun(store(), tenantId)).threadId)
      const first = await store().runs.listThreads(tenantId, { userId: 'alice', limit: 3 })
      const rest = await store().runs.listThreads(tenantId, {
        userId: 'alice',
        limit: 3,
        cursor: first.nextCursor ?? '',
      })
      expect([...first.items, ...rest.items].map(({ threadId }) => threadId)).toEqual(ids)
      expect(rest.nextCursor).toBeUndefined()
    })
  })

  describe('messages', () => {
    it('stand in the order they came', async () => {
      const tenantId = freshTenant()
      const { threadId } = await startedRun(store(), tenantId)
      const second = await store().runs.saveMessage(tenantId, {
        ...sampleMessage('second'),
        threadId,
        role: 'assistant',
        runId: undefined,
      })
      await store().runs.saveMessage(tenantId, { ...sampleMessage('third'), threadId, role: 'user', runId: undefined })
      const messages = await store().runs.messages(tenantId, threadId)
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
      expect(messages[1]).toEqual(second)
      const positions = messages.map(({ position }) => position)
      expect(positions).toEqual([...new Set(positions)].sort((one, other) => one - other))
    })

    it('keep their place when they are saved again', async () => {
      const tenantId = freshTenant()
      const { threadId } = await startedRun(store(), tenantId)
      const message = { ...sampleMessage('first'), threadId, role: 'assistant' as const, runId: undefined }
      const saved = await store().runs.saveMessage(tenantId, message)
      await store().runs.saveMessage(tenantId, { ...sampleMessage('last'), threadId, role: 'user', runId: undefined })
      const again = await store().runs.saveMessage(tenantId, {
        ...message,
        parts: [{ type: 'text', text: 'rewritten' }],
      })
      expect(again).toMatchObject({ position: saved.position, createdAt: saved.createdAt })
      const messages = await store().runs.messages(tenantId, threadId)
      expect(messages).toHaveLength(3)
      expect(messages[1]).toMatchObject({ messageId: message.messageId, parts: [{ text: 'rewritten' }] })
    })

    it('with the same id can stand in two threads', async () => {
      const tenantId = freshTenant()
      const message = { ...sampleMessage(), role: 'user' as const, runId: undefined }
      const [one, other] = [await startedRun(store(), tenantId), await startedRun(store(), tenantId)]
      await store().runs.saveMessage(tenantId, { ...message, threadId: one.threadId })
      await store().runs.saveMessage(tenantId, { ...message, threadId: other.threadId })
      expect(await store().runs.messages(tenantId, one.threadId)).toHaveLength(2)
      expect(await store().runs.messages(tenantId, other.threadId)).toHaveLength(2)
    })

    it('need a thread, and the lease where one is named', async () => {
      const tenantId = freshTenant()
      const { run, lost, held } = await lostLease(store(), tenantId)
      const message = {
        ...sampleMessage('conclusion'),
        threadId: run.threadId,
        role: 'assistant' as const,
        runId: run.runId,
      }
      await expect(store().runs.saveMessage(tenantId, { ...message, threadId: randomUUID() })).rejects.toThrow()
      await expect(store().runs.saveMessage(tenantId, message, lost)).rejects.toMatchObject({ code: 'LEASE_LOST' })
      expect(await store().runs.messages(tenantId, run.threadId)).toHaveLength(1)
      await store().runs.saveMessage(tenantId, message, held)
      expect(await store().runs.messages(tenantId, run.threadId)).toHaveLength(2)
    })
  })
}
