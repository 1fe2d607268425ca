import { describe, expect, it } from 'vitest'
import type { StoredCall } from '../ledger/call-record.ts'
import type { LedgerEntry, Seal } from '../ledger/ledger-entry.ts'
import { createMemoryStore } from '../store/memory-store.ts'
import type { Store } from '../store/store.ts'
import { claimed, fenceOf, freshTenant, sampleCall, sampleEnding } from '../testing/store-contract/samples.ts'
import { makeSeal } from './seal.ts'
import { type Anchor, verifyLedger } from './verify.ts'

const key = 'the key that lies outside'
type Batch = { seal: Seal; entries: LedgerEntry[] }

/** A workspace with three seals of four entries each, and two entries that are not sealed yet. */
async function sealedLedger() {
  const store = createMemoryStore()
  const tenantId = freshTenant()
  const endedCall = async () => {
    const call = await claimed(store, sampleCall(tenantId))
    await store.calls.finish(fenceOf(call), sampleEnding(call))
  }
  for (let seals = 0; seals < 3; seals += 1) {
    await endedCall()
    await endedCall()
    await store.ledger.seal(tenantId, makeSeal(key))
  }
  await endedCall()
  return { store, tenantId }
}

/** The same store, as it reads after somebody with access to the database changed it. */
function tampered(store: Store, change: (batches: Batch[]) => Batch[]): Store {
  return {
    ...store,
    ledger: {
      ...store.ledger,
      async *sealed(tenantId) {
        const batches: Batch[] = []
        for await (const { seal, entries } of store.ledger.sealed(tenantId))
          batches.push({ seal, entries: [...entries] })
        yield* change(batches)
      },
    },
  }
}

/** Changes one batch. */
function at(index: number, change: (batch: Batch) => Batch): (batches: Batch[]) => Batch[] {
  return (batches) => batches.map((batch, place) => (place === index ? change(batch) : batch))
}

function first<T>(values: readonly T[]): T {
  const [value] = values
  if (value === undefined) throw new Error('there is none')
  return value
}

async function kindsOf(store: Store, tenantId: string, ...more: [anchor?: Anchor]) {
  const { problems } = await verifyLedger(store, tenantId, key, ...more)
  return problems.map(({ kind, seq }) => `${kind} ${seq}`)
}

describe('verifyLedger', () => {
  it('finds nothing wrong with what nobody touched, and says what is sealed', async () => {
    const { store, tenantId } = await sealedLedger()
    const report = await verifyLedger(store, tenantId, key)
    expect(report).toMatchObject({ sealed: 12, unsealed: 2, problems: [], head: { seq: 3 } })
    expect(await kindsOf(store, tenantId, report.head)).toEqual([])
  })

  it('finds nothing at all in a workspace without a record', async () => {
    const report = await verifyLedger(createMemoryStore(), freshTenant(), key)
    expect(report).toEqual({ sealed: 0, unsealed: 0, problems: [], head: undefined })
  })

  const edits: Partial<LedgerEntry>[] = [
    { entryId: 'other' },
    { at: new Date(0) },
    { event: 'settled' },
    { callId: 'other' },
    { pack: 'other' },
    { toolName: 'delete_page' },
    { status: 'refused' },
    { userId: 'bob' },
    { actor: 'agent' },
    { door: 'mcp' },
    { runId: 'run' },
    { approvalId: 'approval' },
    { inputDigest: '0' },
    { resultDigest: '0' },
    { tenantId: 'other' },
  ]
  it.each(edits)('finds an entry that was edited: %o', async (edit) => {
    const { store, tenantId } = await sealedLedger()
    const edited = tampered(
      store,
      at(1, ({ seal, entries }) => ({
        seal,
        entries: [...entries.slice(0, 3), { ...first(entries.slice(3)), ...edit }],
      })),
    )
    expect(await kindsOf(edited, tenantId)).toContain('edited 2')
  })

  it('finds what was moved from one field to the next', async () => {
    const { store, tenantId } = await sealedLedger()
    const move = (entry: LedgerEntry) => ({ ...entry, pack: `${entry.pack}r`, toolName: entry.toolName.slice(1) })
    const moved = tampered(
      store,
      at(0, ({ seal, entries }) => ({ seal, entries: entries.map(move) })),
    )
    expect(await kindsOf(moved, tenantId)).toContain('edited 1')
  })

  it('finds an entry that was deleted in the middle', async () => {
    const { store, tenantId } = await sealedLedger()
    const deleted = tampered(
      store,
      at(1, ({ seal, entries }) => ({ seal, entries: entries.toSpliced(1, 1) })),
    )
    expect(await kindsOf(deleted, tenantId)).toContain('missing 2')
  })

  it('finds entries that changed their order', async () => {
    const { store, tenantId } = await sealedLedger()
    const reordered = tampered(
      store,
      at(2, ({ seal, entries }) => ({ seal, entries: entries.toReversed() })),
    )
    expect(await kindsOf(reordered, tenantId)).toContain('reordered 3')
  })

  it('finds an entry that was put under a seal', async () => {
    const { store, tenantId } = await sealedLedger()
    const inserted = tampered(
      store,
      at(0, ({ seal, entries }) => ({ seal, entries: [...entries, { ...first(entries), entryId: 'new' }] })),
    )
    expect(await kindsOf(inserted, tenantId)).toContain('inserted 1')
  })

  it('finds an entry that was moved under another seal', async () => {
    const { store, tenantId } = await sealedLedger()
    const moved = tampered(store, ([one, two, three]) => {
      if (!one || !two || !three) throw new Error('three seals were made')
      const last = first(one.entries.slice(-1))
      return [{ ...one, entries: one.entries.slice(0, -1) }, { ...two, entries: [last, ...two.entries] }, three]
    })
    expect(await kindsOf(moved, tenantId)).toEqual(['missing 1', 'inserted 2'])
  })

  it('finds a seal that was deleted in the middle with its entries', async () => {
    const { store, tenantId } = await sealedLedger()
    const deleted = tampered(store, (batches) => batches.toSpliced(1, 1))
    expect(await kindsOf(deleted, tenantId)).toEqual(expect.arrayContaining(['missing 2', 'broken-chain 3']))
  })

  it('finds seals that were renumbered over a gap', async () => {
    const { store, tenantId } = await sealedLedger()
    const renumbered = tampered(store, (batches) =>
      batches.toSpliced(1, 1).map(({ seal, entries }, index) => ({ seal: { ...seal, seq: index + 1 }, entries })),
    )
    expect(await kindsOf(renumbered, tenantId)).toEqual(expect.arrayContaining(['bad-signature 2', 'broken-chain 2']))
  })

  it('finds seals in another order', async () => {
    const { store, tenantId } = await sealedLedger()
    const swapped = tampered(store, ([one, two, three]) => (one && two && three ? [two, one, three] : []))
    expect(await kindsOf(swapped, tenantId)).toContain('reordered 1')
  })

  it('finds that the newest seals were cut off, against an anchor only', async () => {
    const { store, tenantId } = await sealedLedger()
    const { head } = await verifyLedger(store, tenantId, key)
    const calls = { ...store.calls, list: async () => ({ items: [] }), get: async () => undefined }
    const cut = { ...tampered(store, (batches) => batches.slice(0, 2)), calls }
    expect(await kindsOf(cut, tenantId)).not.toContain('anchor 3')
    expect(await kindsOf(cut, tenantId, head)).toContain('anchor 3')
  })

  it('finds a record that was sealed anew with the key, against an anchor', async () => {
    const { store, tenantId } = await sealedLedger()
    const { head } = await verifyLedger(store, tenantId, key)
    const resealed = tampered(store, resealedWith(key))
    expect(await kindsOf(resealed, tenantId)).not.toContain('bad-signature 1')
    expect(await kindsOf(resealed, tenantId, head)).toContain('anchor 3')
  })

  it('finds a record that was changed and sealed anew without the key', async () => {
    const { store, tenantId } = await sealedLedger()
    const forged = tampered(store, resealedWith('a guess'))
    expect(await kindsOf(forged, tenantId)).toEqual(
      expect.arrayContaining(['bad-signature 1', 'bad-signature 2', 'bad-signature 3']),
    )
  })

  it.each([
    ['count', { count: 5 }],
    ['time', { sealedAt: new Date(0) }],
    ['root', { root: '0' }],
    ['signature', { signature: '0' }],
    ['predecessor', { previous: '0' }],
  ])('finds a seal whose %s was edited', async (_field, edit) => {
    const { store, tenantId } = await sealedLedger()
    const edited = tampered(
      store,
      at(1, ({ seal, entries }) => ({ seal: { ...seal, ...edit }, entries })),
    )
    expect(await kindsOf(edited, tenantId)).toContain('bad-signature 2')
  })

  it('finds the record of another workspace in the place of this one', async () => {
    const { store, tenantId } = await sealedLedger()
    const other = freshTenant()
    const swapped: Store = {
      ...store,
      ledger: { ...store.ledger, sealed: () => store.ledger.sealed(tenantId), unsealed: async () => [] },
    }
    expect(await kindsOf(swapped, other)).toContain('broken-chain 1')
  })

  it('finds seals under another key', async () => {
    const { store, tenantId } = await sealedLedger()
    const { problems } = await verifyLedger(store, tenantId, 'another key')
    expect(problems.map(({ kind }) => kind)).toEqual(['bad-signature', 'bad-signature', 'bad-signature'])
  })

  describe('with the calls themselves', () => {
    async function changedCalls(change: (call: StoredCall) => StoredCall | undefined) {
      const { store, tenantId } = await sealedLedger()
      const target = first((await store.calls.list(tenantId, {})).items)
      const see = (call: StoredCall) => (call.callId === target.callId ? change(call) : call)
      const calls: Store['calls'] = {
        ...store.calls,
        async get(tenant, callId) {
          const call = await store.calls.get(tenant, callId)
          return call && see(call)
        },
        async list(tenant, filter) {
          const page = await store.calls.list(tenant, filter)
          return { ...page, items: page.items.map(see).filter((call) => call !== undefined) }
        },
      }
      const { problems } = await verifyLedger({ ...store, calls }, tenantId, key)
      expect(problems.every(({ callId, seq }) => callId === target.callId && seq === undefined)).toBe(true)
      return problems.map(({ kind }) => kind)
    }

    it('finds arguments that are not those on record', async () => {
      const edit = (call: StoredCall) => ({
        ...call,
        payload: call.payload && { ...call.payload, input: { title: 'Else' } },
      })
      expect(await changedCalls(edit)).toEqual(['edited'])
    })

    it('finds a result that is not the one on record', async () => {
      const result = { success: true, data: { pageId: 'page-2' }, message: 'Renamed the page' } as const
      const edit = (call: StoredCall) => ({ ...call, payload: call.payload && { ...call.payload, result } })
      expect(await changedCalls(edit)).toEqual(['edited'])
    })

    it('finds a status that is not the one on record', async () => {
      expect(await changedCalls((call) => ({ ...call, status: 'failed' }))).toEqual(['edited'])
    })

    it('finds content that is gone without an erasure on record', async () => {
      expect(await changedCalls((call) => ({ ...call, payload: undefined }))).toEqual(['missing'])
    })

    it('finds a call that was deleted', async () => {
      expect(await changedCalls(() => undefined)).toEqual(['missing'])
    })

    it('finds a call that never was on record', async () => {
      const { store, tenantId } = await sealedLedger()
      const forged = sampleCall(tenantId, { status: 'done' })
      const list: Store['calls']['list'] = async (tenant, filter) => {
        const page = await store.calls.list(tenant, filter)
        return { ...page, items: [forged, ...page.items] }
      }
      const get: Store['calls']['get'] = async (tenant, callId) =>
        callId === forged.callId ? forged : store.calls.get(tenant, callId)
      const { problems } = await verifyLedger({ ...store, calls: { ...store.calls, list, get } }, tenantId, key)
      expect(problems).toMatchObject([{ kind: 'inserted', callId: forged.callId }])
    })

    it('takes a call that goes on while it reads for what it is', async () => {
      const { store, tenantId } = await sealedLedger()
      const running = await claimed(store, sampleCall(tenantId))
      const list: Store['calls']['list'] = async (tenant, filter) => {
        await store.calls.finish(fenceOf(running), sampleEnding(running))
        await store.ledger.seal(tenantId, makeSeal(key))
        return store.calls.list(tenant, filter)
      }
      const { problems } = await verifyLedger({ ...store, calls: { ...store.calls, list } }, tenantId, key)
      expect(problems).toEqual([])
    })
  })
})

/** Somebody with access to the database edits the first entry and makes every seal anew. */
function resealedWith(anyKey: string): (batches: Batch[]) => Batch[] {
  return (batches) => {
    let previous: Seal | undefined
    return batches.map(({ entries }, index) => {
      const changed = index === 0 ? [{ ...first(entries), userId: 'bob' }, ...entries.slice(1)] : entries
      previous = makeSeal(anyKey)(changed, previous)
      return { seal: previous, entries: changed }
    })
  }
}
