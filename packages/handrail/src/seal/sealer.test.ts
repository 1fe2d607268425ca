import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Seal } from '../ledger/ledger-entry.ts'
import { createMemoryStore } from '../store/memory-store.ts'
import type { Store } from '../store/store.ts'
import { claimed, freshTenant, sampleCall } from '../testing/store-contract/samples.ts'
import { startSealer } from './sealer.ts'

const key = 'key'

describe('startSealer', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  function openStore() {
    const store = createMemoryStore()
    const tenantId = freshTenant()
    const write = () => claimed(store, sampleCall(tenantId))
    const unsealed = async () => (await store.ledger.unsealed(tenantId)).length
    return { store, tenantId, write, unsealed }
  }

  it('seals what is new at every interval and tells of each seal', async () => {
    const { store, write, unsealed } = openStore()
    const seals: Seal[] = []
    const sealer = startSealer(store, key, { everyMs: 100, onSealed: (seal) => seals.push(seal) })
    await write()
    expect(await unsealed()).toBe(1)
    await vi.advanceTimersByTimeAsync(100)
    expect(await unsealed()).toBe(0)
    await write()
    await vi.advanceTimersByTimeAsync(300)
    expect(seals.map(({ seq }) => seq)).toEqual([1, 2])
    await sealer.stop()
  })

  it('seals once more when it stops, and never after', async () => {
    const { store, write, unsealed } = openStore()
    const sealer = startSealer(store, key, { everyMs: 100 })
    await write()
    await sealer.stop()
    expect(await unsealed()).toBe(0)
    await write()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await unsealed()).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('seals at once when asked to', async () => {
    const { store, write, unsealed } = openStore()
    const sealer = startSealer(store, key)
    await write()
    await sealer.sealNow()
    expect(await unsealed()).toBe(0)
    await sealer.stop()
  })

  it('goes on after a round that failed, and tells of it', async () => {
    const { store, write, unsealed } = openStore()
    const failures: unknown[] = []
    let isAway = true
    const ledger: Store['ledger'] = {
      ...store.ledger,
      tenantsToSeal: async () => (isAway ? Promise.reject(new Error('away')) : store.ledger.tenantsToSeal()),
    }
    const sealer = startSealer({ ledger }, key, { everyMs: 100, onError: (error) => failures.push(error) })
    await write()
    await vi.advanceTimersByTimeAsync(100)
    expect(failures).toHaveLength(1)
    await expect(sealer.sealNow()).rejects.toThrow('away')
    isAway = false
    await vi.advanceTimersByTimeAsync(100)
    expect(await unsealed()).toBe(0)
    await sealer.stop()
  })

  it('seals the other workspaces when one cannot be sealed', async () => {
    const { store, write, unsealed } = openStore()
    await claimed(store, sampleCall('a-broken-one'))
    await write()
    const ledger: Store['ledger'] = {
      ...store.ledger,
      seal: async (tenantId, make) =>
        tenantId === 'a-broken-one' ? Promise.reject(new Error('broken')) : store.ledger.seal(tenantId, make),
    }
    const sealer = startSealer({ ledger }, key)
    await expect(sealer.sealNow()).rejects.toThrow('broken')
    expect(await unsealed()).toBe(0)
    await expect(sealer.stop()).rejects.toThrow('broken')
  })
})
