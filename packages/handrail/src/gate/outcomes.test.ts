import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ConflictError } from '../errors/conflict-error.ts'
import { StoreError } from '../errors/store-error.ts'
import { ToolError } from '../errors/tool-error.ts'
import { completePack, type Pack } from '../pack/pack.ts'
import { asAgent } from '../principal/principal.ts'
import { createMemoryStore } from '../store/memory-store.ts'
import type { CallStore, Store } from '../store/store.ts'
import type { Tool } from '../tool/tool.ts'
import { approvalOf, codeOf, deferred, type GateBench, gateBench, probe, until } from './testing/gate-bench.ts'

const natures = {
  read: { kind: 'read' },
  transaction: { kind: 'create', effect: 'transaction' },
  external: { kind: 'action', effect: 'external', approval: 'never' },
} as const satisfies Record<string, Partial<Tool>>
const never = new Promise<never>(() => {})

describe('a tool that throws', () => {
  it.each(Object.entries(natures))('with a domain error fails with its code and next step (%s)', async (_, nature) => {
    const { call, events } = gateBench([
      probe({
        ...nature,
        execute() {
          throw new ConflictError('the name is taken', { next: 'Choose another.', details: { name: 'a' } })
        },
      }),
    ])
    const { record, result } = await call({ text: 'a' })
    expect(result).toEqual({
      success: false,
      code: 'CONFLICT',
      error: 'the name is taken',
      next: 'Choose another.',
      details: { name: 'a' },
    })
    expect(record.status).toBe('failed')
    expect(await events(record.callId)).toEqual(['started', 'ended'])
  })

  it.each([
    ['read', 'failed', 'INTERNAL'],
    ['transaction', 'failed', 'INTERNAL'],
    ['external', 'unknown', 'UNKNOWN_OUTCOME'],
  ] as const)('with anything else ends a %s as %s, and tells only the operator why', async (nature, status, code) => {
    const { call, reports } = gateBench([
      probe({ ...natures[nature], execute: () => Promise.reject(new Error('password=hunter2')) }),
    ])
    const { record, result, forModel } = await call({ text: 'a' })
    expect(result).toMatchObject({ success: false, code })
    expect(record.status).toBe(status)
    expect(JSON.stringify([record, result, forModel])).not.toContain('hunter2')
    expect(reports).toMatchObject([{ code: 'TOOL_THREW' }])
    expect((await call({ text: 'b' }, { idempotencyKey: 'next' })).record.callId).not.toBe(record.callId)
  })

  it('is refused when it says FORBIDDEN', async () => {
    const { call } = gateBench([probe({ execute: () => Promise.reject(new ToolError('FORBIDDEN', 'not yours')) })])
    expect((await call({ text: 'a' })).record.status).toBe('refused')
  })

  it.each([undefined, null, 'a word', 7])('%s is a failure too', async (thrown) => {
    const { call } = gateBench([probe({ execute: () => Promise.reject(thrown) })])
    expect(codeOf(await call({ text: 'a' }))).toBe('INTERNAL')
  })
})

describe('a deadline', () => {
  const soon = { limits: { timeoutMs: 5 } }

  it.each([
    ['read', 'failed', 'TIMEOUT'],
    ['transaction', 'failed', 'TIMEOUT'],
    ['external', 'unknown', 'UNKNOWN_OUTCOME'],
  ] as const)('ends a %s that ignores its signal and never settles: %s', async (nature, status, code) => {
    const { call, events } = gateBench([probe({ ...natures[nature], ...soon, execute: () => never })])
    const { record, result } = await call({ text: 'a' })
    expect(codeOf({ result })).toBe(code)
    expect(record.status).toBe(status)
    expect(await events(record.callId)).toEqual(['started', 'ended'])
  })

  it('takes the transaction back, so that what comes later is not in it', async () => {
    const reached = deferred<Error>()
    const store = createMemoryStore()
    const revocable = withCalls(store, (calls) => ({
      transact: (fence, effect) =>
        calls.transact(fence, (handed) =>
          effect({
            db: handed.db,
            revoke(reason) {
              reached.resolve(reason)
              handed.revoke(reason)
            },
          }),
        ),
    }))
    const tool = probe({ ...soon, execute: () => never })
    const { call } = gateBench([tool], { store: revocable })
    expect(codeOf(await call({ text: 'a' }))).toBe('TIMEOUT')
    expect((await reached.promise).message).toContain('rolled back')
  })

  it('aborts the signal of a tool that listens', async () => {
    const aborted = deferred()
    const { call } = gateBench([
      probe({
        ...soon,
        execute: ({ signal }) =>
          new Promise((_, reject) =>
            signal.addEventListener('abort', () => {
              aborted.resolve()
              reject(signal.reason)
            }),
          ),
      }),
    ])
    expect(codeOf(await call({ text: 'a' }))).toBe('TIMEOUT')
    await aborted.promise
  })

  it('leaves the next call as it should be', async () => {
    const tool = probe({ ...soon, execute: () => (tool.starts === 1 ? never : 'fine') })
    const { call } = gateBench([tool])
    expect(codeOf(await call({ text: 'a' }))).toBe('TIMEOUT')
    expect((await call({ text: 'a' })).result).toMatchObject({ data: 'fine' })
  })

  it.each([
    ['read', 'cancelled'],
    ['transaction', 'cancelled'],
    ['external', 'unknown'],
  ] as const)('is not waited for by a cancelled %s: %s', async (nature, status) => {
    const started = deferred()
    const controller = new AbortController()
    const { call } = gateBench([
      probe({
        ...natures[nature],
        execute() {
          started.resolve()
          return never
        },
      }),
    ])
    const outcome = call({ text: 'a' }, { signal: controller.signal })
    await started.promise
    controller.abort()
    expect((await outcome).record.status).toBe(status)
  })
})

describe('an unknown outcome', () => {
  const external = (execute: () => unknown) => probe({ ...natures.external, limits: { timeoutMs: 5 }, execute })

  async function unknownCall(bench: GateBench, text = 'a') {
    const { record } = await bench.call({ text })
    expect(record.status).toBe('unknown')
    return record.callId
  }

  it('is settled by what the tool reports late', async () => {
    const late = deferred<unknown>()
    const bench = gateBench([external(() => late.promise)])
    const callId = await unknownCall(bench)
    late.resolve({ sent: true })
    await until(async () => (await bench.gate.getCall(bench.as('alice'), callId))?.status === 'done')
    expect(await bench.gate.getCall(bench.as('alice'), callId)).toMatchObject({
      status: 'done',
      result: { success: true, data: { sent: true } },
    })
    expect(await bench.events(callId)).toEqual(['started', 'ended', 'settled'])
  })

  it('stays unknown when the late report is no answer', async () => {
    const late = deferred<unknown>()
    const bench = gateBench([external(() => late.promise)])
    const callId = await unknownCall(bench)
    late.reject(new Error('socket hang up'))
    await until(() => bench.reports.length > 0)
    expect((await bench.gate.getCall(bench.as('alice'), callId))?.status).toBe('unknown')
  })

  it('is settled by a person, once, and by nobody else', async () => {
    const bench = gateBench([external(() => never)])
    const callId = await unknownCall(bench)
    const settle = (principal: ReturnType<typeof bench.as>, outcome: 'happened' | 'did_not_happen' = 'happened') =>
      bench.gate.settle({ callId, outcome, principal })
    expect(await settle(asAgent(bench.as('alice')))).toMatchObject({ kind: 'refused', code: 'FORBIDDEN' })
    expect(await settle({ ...bench.as('alice'), actor: 'service' })).toMatchObject({ code: 'FORBIDDEN' })
    expect(await settle({ ...bench.as('alice'), mayApprove: false })).toMatchObject({ code: 'FORBIDDEN' })
    expect(await settle(bench.as('bob'))).toMatchObject({ code: 'FORBIDDEN' })
    expect(await settle(bench.as('carol'))).toMatchObject({ code: 'FORBIDDEN' })
    expect(await settle(bench.as('mallory'))).toMatchObject({ code: 'NOT_FOUND' })
    expect(await bench.events(callId)).toEqual(['started', 'ended'])

    const both = await Promise.all([settle(bench.as('alice')), settle(bench.as('alice'), 'did_not_happen')])
    expect(both.map(({ kind }) => kind).sort()).toEqual(['refused', 'settled'])
    expect(await settle(bench.as('alice'))).toMatchObject({ code: 'CONFLICT' })
    expect(await bench.events(callId)).toEqual(['started', 'ended', 'settled'])
  })

  it('settled as not happened fails, and settled as happened is done', async () => {
    for (const [outcome, status] of [
      ['happened', 'done'],
      ['did_not_happen', 'failed'],
    ] as const) {
      const bench = gateBench([external(() => never)])
      const callId = await unknownCall(bench)
      const settled = await bench.gate.settle({ callId, outcome, principal: bench.as('alice') })
      expect(settled).toMatchObject({ kind: 'settled', call: { status } })
    }
  })

  it('makes the next call of the tool in the thread ask, showing it, until it is settled', async () => {
    const bench = gateBench([external(() => never), probe({ ...natures.external, name: 'other' })])
    const thread = { threadId: 't', untrusted: false, userText: '' }
    const { record } = await bench.call({ text: 'a' }, { thread })
    const repeat = await bench.call({ text: 'b' }, { thread })
    const approval = await bench.store.approvals.get('acme', approvalOf(repeat))
    expect(approval?.reason).toContain('unknown outcome')
    const elsewhere = await bench.call({ text: 'a' }, { thread: { ...thread, threadId: 'u' } })
    expect(elsewhere.record.status).toBe('unknown')
    expect((await bench.call({ text: 'a' }, { name: 'other', thread })).record.status).toBe('done')
    await bench.gate.settle({ callId: record.callId, outcome: 'did_not_happen', principal: bench.as('alice') })
    expect((await bench.call({ text: 'c' }, { thread })).record.status).toBe('unknown')
  })
})

describe('a ledger that cannot write', () => {
  const broken = new StoreError('the disk is full')

  it('at the claim lets nothing run, and the next call works', async () => {
    const tool = probe()
    const bench = gateBench([tool], { store: failingOnce('claim') })
    await expect(bench.call({ text: 'a' })).rejects.toThrow('the disk is full')
    expect(tool.starts).toBe(0)
    expect((await bench.call({ text: 'a' })).result.success).toBe(true)
  })

  it('while asking asks nobody, and the next call works', async () => {
    const bench = gateBench([probe({ kind: 'delete' })], { store: failingOnce('ask') })
    await expect(bench.call({ text: 'a' })).rejects.toThrow('the disk is full')
    expect((await bench.store.approvals.list('acme', {})).items).toEqual([])
    expect((await bench.call({ text: 'a' })).record.status).toBe('awaiting_approval')
  })

  it('for a refusal changes nothing about the refusal, and tells the operator', async () => {
    const bench = gateBench([probe()], { store: failingOnce('recordEnded') })
    expect(codeOf(await bench.call({ text: 1 }))).toBe('VALIDATION')
    expect(bench.reports).toMatchObject([{ code: 'REFUSAL_NOT_RECORDED' }])
  })

  it('at the end of a transaction does not say that it is done', async () => {
    const bench = gateBench([probe()], { store: failingOnce('transact') })
    await expect(bench.call({ text: 'a' }, { idempotencyKey: 'k' })).rejects.toThrow('the disk is full')
    expect((await bench.call({ text: 'a' }, { idempotencyKey: 'k' })).record.status).toBe('running')
    expect((await bench.call({ text: 'b' })).result.success).toBe(true)
  })

  it('at the end of an act outside leaves it started, and recovery makes it unknown instead of repeating it', async () => {
    let now = Date.now()
    const tool = probe(natures.external)
    const store = failingOnce('finish', createMemoryStore({ now: () => new Date(now) }))
    const bench = gateBench([tool], { store })
    await expect(bench.call({ text: 'a' }, { idempotencyKey: 'k' })).rejects.toThrow('the disk is full')
    expect(await bench.gate.reconcile()).toBe(0)
    now += 3_600_000
    expect(await bench.gate.reconcile()).toBe(1)
    expect((await bench.call({ text: 'a' }, { idempotencyKey: 'k' })).record.status).toBe('unknown')
    expect(tool.starts).toBe(1)
    expect(await bench.gate.reconcile()).toBe(0)
  })

  it.each([
    ['a read', natures.read],
    ['a transaction', natures.transaction],
    ['an act outside that may be repeated with its key', { ...natures.external, idempotent: true }],
  ] as const)('at the end of %s leaves it to recovery, which carries it out', async (_, nature) => {
    let now = Date.now()
    const keys: string[] = []
    const tool = probe({ ...nature, execute: ({ idempotencyKey }) => keys.push(idempotencyKey) })
    const store = failingOnce(
      nature.kind === 'create' ? 'transact' : 'finish',
      createMemoryStore({ now: () => new Date(now) }),
    )
    const bench = gateBench([tool], { store })
    await expect(bench.call({ text: 'a' }, { idempotencyKey: 'k' })).rejects.toThrow('the disk is full')
    now += 3_600_000
    expect(await bench.gate.reconcile()).toBe(1)
    expect((await bench.call({ text: 'a' }, { idempotencyKey: 'k' })).record.status).toBe('done')
    expect(new Set(keys)).toEqual(new Set(['k']))
  })

  /** A store whose next use of one method fails before it has done anything. */
  function failingOnce(
    method: 'claim' | 'ask' | 'recordEnded' | 'transact' | 'finish',
    store = createMemoryStore(),
  ): Store {
    let hasFailed = false
    const once =
      <Args extends unknown[], Result>(original: (...args: Args) => Promise<Result>) =>
      (...args: Args): Promise<Result> => {
        if (hasFailed) return original(...args)
        hasFailed = true
        return Promise.reject(broken)
      }
    return withCalls(store, (calls) => ({ [method]: once(calls[method] as never) })) // one of the methods, as it is
  }
})

describe('a result', () => {
  it('of two megabytes is shortened, says so, and is still whole as a value', async () => {
    const rows = Array.from({ length: 2_000 }, (_, index) => ({ id: index, text: 'x'.repeat(1_000) }))
    const { call } = gateBench([probe({ kind: 'read', execute: () => ({ rows }) })])
    const { record, result, forModel } = await call({ text: 'a' })
    expect(record.truncated).toBe(true)
    const text = JSON.stringify(forModel)
    expect(text.length).toBeLessThan(60_000)
    expect(text).toContain('left out')
    expect(result).toMatchObject({
      success: true,
      data: { rows: expect.arrayContaining([{ id: 0, text: 'x'.repeat(1_000) }]) },
    })
  })

  it('that does not fit its own schema is a failure; of an act outside, an unknown outcome', async () => {
    const outputSchema = z.object({ id: z.string() })
    const of = (nature: Partial<Tool>) => gateBench([probe({ ...nature, outputSchema, execute: () => ({ id: 7 }) })])
    expect((await of(natures.transaction).call({ text: 'a' })).record.status).toBe('failed')
    expect((await of(natures.external).call({ text: 'a' })).record.status).toBe('unknown')
  })

  it.each([
    ['nothing', undefined],
    ['a function', () => 1],
    ['a bigint', 7n],
    ['a date', new Date(0)],
    ['a circle', circle()],
  ])('that is %s becomes plain JSON', async (_, value) => {
    const { call } = gateBench([probe({ execute: () => value })])
    const { record, result, forModel } = await call({ text: 'a' })
    expect(record.status).toBe('done')
    expect(JSON.parse(JSON.stringify({ result, forModel }))).toEqual({ result, forModel })
  })

  it('is masked before it is kept', async () => {
    const { call, store } = gateBench([
      probe({ execute: () => ({ note: 'write to jane@example.org', password: 'hunter2' }) }),
    ])
    const { record } = await call({ text: 'a' })
    const kept = JSON.stringify(await store.calls.get('acme', record.callId))
    expect(kept).not.toContain('hunter2')
    expect(kept).not.toContain('jane@example.org')
  })

  function circle(): unknown {
    const round: Record<string, unknown> = { name: 'round' }
    round.self = round
    return round
  }
})

describe('save', () => {
  const external = (save: Tool['save']): Tool => ({
    ...probe({ ...natures.external, execute: () => ({ id: 'remote' }) }),
    save,
  })

  it('commits together with the outcome of an act outside', async () => {
    const saved: unknown[] = []
    const { call } = gateBench([external(({ result }: { result: unknown }) => saved.push(result))])
    expect((await call({ text: 'a' })).record.status).toBe('done')
    expect(saved).toEqual([{ id: 'remote' }])
  })

  it('that breaks leaves an unknown outcome, for a person to settle', async () => {
    const bench = gateBench([external(() => Promise.reject(new Error('no room')))])
    const { record } = await bench.call({ text: 'a' })
    expect(record.status).toBe('unknown')
    expect(await bench.events(record.callId)).toEqual(['started', 'ended'])
  })
})

describe('what breaks around a tool', () => {
  const packOf = (tool: Tool, services: Pack['services']) =>
    completePack({
      name: 'app',
      title: 'App',
      description: '',
      language: 'en',
      tools: [tool],
      scopeSchema: z.strictObject({}),
      roles: { owner: 'all' },
      services,
      instructions: () => '',
    })
  const breaks = () => {
    throw new Error('no services')
  }

  it.each([
    ['read', 'failed'],
    ['transaction', 'failed'],
    ['external', 'unknown'],
  ] as const)('its services: a %s ends as %s at once and is not tried again', async (nature, status) => {
    const tool = probe(natures[nature])
    const bench = gateBench([], { packs: [packOf(tool, { readers: breaks, writers: breaks })] })
    const { record } = await bench.gate.call({ name: 'probe', input: { text: 'a' }, principal: bench.as('alice') })
    expect(record.status).toBe(status)
    expect(await bench.events(record.callId)).toEqual(['started', 'ended'])
    expect(tool.starts).toBe(0)
  })

  it('a commit that the database refuses: failed, nothing changed, and not tried again', async () => {
    const store = createMemoryStore()
    const refusing = withCalls(store, (calls) => ({
      transact: (fence, effect) =>
        calls.transact(fence, async (transaction) => {
          await effect(transaction)
          throw new Error('violates deferred constraint')
        }),
    }))
    const tool = probe()
    const bench = gateBench([tool], { store: refusing })
    const { record, result } = await bench.call({ text: 'a' })
    expect(record.status).toBe('failed')
    expect(codeOf({ result })).toBe('INTERNAL')
    expect(tool.starts).toBe(1)
    expect(await bench.gate.reconcile()).toBe(0)
  })
})

/** The same store with some methods of its calls exchanged. */
function withCalls(store: Store, change: (calls: CallStore) => Partial<CallStore>): Store {
  return { ...store, calls: { ...store.calls, ...change(store.calls) } }
}
