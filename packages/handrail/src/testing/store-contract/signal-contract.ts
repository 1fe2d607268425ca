import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../store/store.ts'
import { freshTenant } from './samples.ts'

/** How followers learn of changes. */
export function signalContract(store: () => Store): void {
  describe('signals', () => {
    it('reach who follows, and nobody who stopped', async () => {
      const tenantId = freshTenant()
      const signal = { tenantId, topic: 'call', id: randomUUID() } as const
      const heard = Promise.withResolvers<unknown>()
      const stopped: unknown[] = []
      store().signals.subscribe((each) => stopped.push(each))()
      const stop = store().signals.subscribe((each) => {
        if (each.tenantId === tenantId) heard.resolve(each)
      })
      await store().signals.publish(signal)
      expect(await heard.promise).toEqual(signal)
      expect(stopped).toEqual([])
      stop()
    })
  })
}
