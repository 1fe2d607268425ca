import { describe, expect, it } from 'vitest'
import { ReadCache } from './read-cache.ts'
import { approvalOf, codeOf, deferred, gateBench, probe } from './testing/gate-bench.ts'

describe('a key', () => {
  it('gives the stored outcome to the same call again, and starts it once', async () => {
    const tool = probe({ execute: () => ({ number: tool.starts }) })
    const { call } = gateBench([tool])
    const first = await call({ text: 'a' }, { idempotencyKey: 'k' })
    const again = await call({ text: 'a' }, { idempotencyKey: 'k' })
    expect(again.record.callId).toBe(first.record.callId)
    expect(again.result).toEqual(first.result)
    expect(tool.starts).toBe(1)
  })

  it('is a CONFLICT for other arguments, or another scope, and keeps its first outcome', async () => {
    const tool = probe()
    const { call, events } = gateBench([tool])
    const first = await call({ text: 'a' }, { idempotencyKey: 'k' })
    const other = await call({ text: 'b' }, { idempotencyKey: 'k' })
    expect(other.result).toMatchObject({ code: 'CONFLICT', details: { callId: first.record.callId } })
    expect(await events(other.record.callId)).toEqual(['ended'])
    expect(codeOf(await call({ text: 'a' }, { idempotencyKey: 'k', scope: { room: '1' } }))).toBe('CONFLICT')
    expect((await call({ text: 'a' }, { idempotencyKey: 'k' })).result).toEqual(first.result)
    expect(tool.starts).toBe(1)
  })

  it('belongs to one person, one tool and one workspace', async () => {
    const tool = probe()
    const second = probe({ name: 'second' })
    const { call } = gateBench([tool, second])
    for (const by of ['alice', 'bob', 'mallory']) await call({ text: by }, { by, idempotencyKey: 'k' })
    await call({ text: 'z' }, { name: 'second', idempotencyKey: 'k' })
    expect([tool.starts, second.starts]).toEqual([3, 1])
  })

  it('of a running call says that it is under way and where to look', async () => {
    const release = deferred()
    const tool = probe({ execute: () => release.promise })
    const { call } = gateBench([tool])
    const first = call({ text: 'a' }, { idempotencyKey: 'k' })
    const meanwhile = await call({ text: 'a' }, { idempotencyKey: 'k' })
    expect(meanwhile.result).toMatchObject({ code: 'CONFLICT' })
    expect(meanwhile.record.status).toBe('running')
    release.resolve()
    const { record } = await first
    expect(record.callId).toBe(meanwhile.record.callId)
    expect('next' in meanwhile.result && meanwhile.result.next).toContain(record.callId)
    expect(tool.starts).toBe(1)
  })

  it('used by fifty calls at once starts one', async () => {
    const tool = probe({ execute: () => ({ number: tool.starts }) })
    const { call } = gateBench([tool])
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => call({ text: 'a' }, { idempotencyKey: 'k' })))
    expect(tool.starts).toBe(1)
    expect(new Set(outcomes.map(({ record }) => record.callId)).size).toBe(1)
  })

  it('is not kept by a call that was refused before it started', async () => {
    let verdict: 'refuse' | 'allow' = 'refuse'
    const tool = probe()
    const { call } = gateBench([tool], {
      policy: () => (verdict === 'refuse' ? { verdict, reason: 'later' } : { verdict }),
    })
    expect(codeOf(await call({ text: '' }, { idempotencyKey: 'k' }))).toBe('VALIDATION')
    expect(codeOf(await call({ text: 'a' }, { idempotencyKey: 'k' }))).toBe('REFUSED')
    verdict = 'allow'
    expect((await call({ text: 'a' }, { idempotencyKey: 'k' })).result.success).toBe(true)
    expect(tool.starts).toBe(1)
  })

  it('of a waiting call gives the same request for approval', async () => {
    const { call } = gateBench([probe({ kind: 'delete' })])
    const first = await call({ text: 'a' }, { idempotencyKey: 'k' })
    expect(approvalOf(await call({ text: 'a' }, { idempotencyKey: 'k' }))).toBe(approvalOf(first))
  })
})

describe('a quota', () => {
  it('is exact under a hundred calls at once', async () => {
    const tool = probe({ limits: { perHour: 30 } })
    const { call } = gateBench([tool])
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, index) => call({ text: `${index}` })))
    expect(outcomes.filter(({ result }) => result.success)).toHaveLength(30)
    expect(tool.starts).toBe(30)
    const limited = outcomes.filter(({ result }) => !result.success)
    expect(new Set(limited.map(codeOf))).toEqual(new Set(['RATE_LIMITED']))
    expect(limited[0]?.result).toMatchObject({ details: { retryAt: expect.stringMatching(/^\d{4}-/) } })
  })

  it('of all calls an hour counts every tool, each person for themselves', async () => {
    const tool = probe()
    const look = probe({ name: 'look', kind: 'read' })
    const { call } = gateBench([tool, look], { limits: { callsPerHour: 3 } })
    await call({ text: 'a' })
    await call({ text: 'a' }, { name: 'look' })
    await call({ text: 'b' })
    expect(codeOf(await call({ text: 'c' }))).toBe('RATE_LIMITED')
    expect((await call({ text: 'c' }, { by: 'bob' })).result.success).toBe(true)
  })

  it('is not spent by a retry with its key, nor by a call that never started', async () => {
    const { call } = gateBench([probe()], { limits: { callsPerHour: 2 } })
    await call({ text: 'a' }, { idempotencyKey: 'k' })
    await call({ text: 1 })
    for (let times = 0; times < 5; times++) {
      expect((await call({ text: 'a' }, { idempotencyKey: 'k' })).result.success).toBe(true)
    }
    expect((await call({ text: 'b' })).result.success).toBe(true)
    expect(codeOf(await call({ text: 'c' }))).toBe('RATE_LIMITED')
    expect((await call({ text: 'a' }, { idempotencyKey: 'k' })).result.success).toBe(true)
  })

  it('is spent once by a call that is asked for and then approved', async () => {
    const { call, gate, as } = gateBench([probe({ kind: 'delete', limits: { perHour: 1 } })])
    const approvalId = approvalOf(await call({ text: 'a' }))
    const decided = await gate.decide({ approvalId, decision: 'approve', principal: as('alice') })
    expect(decided).toMatchObject({ kind: 'decided', call: { status: 'done' } })
    expect(codeOf(await call({ text: 'b' }))).toBe('RATE_LIMITED')
  })
})

describe('a read that this run has done', () => {
  const look = (execute = () => ({ seen: true }) as unknown) => probe({ name: 'look', kind: 'read', execute })

  it('is answered from it, on record and marked as such', async () => {
    const tool = look()
    const { call, events } = gateBench([tool])
    const readCache = new ReadCache()
    const first = await call({ text: 'a' }, { readCache })
    const again = await call({ text: 'a' }, { readCache })
    expect(tool.starts).toBe(1)
    expect(again.result).toEqual(first.result)
    expect(again.record).toMatchObject({ cached: true, status: 'done' })
    expect(again.record.callId).not.toBe(first.record.callId)
    expect(await events(again.record.callId)).toEqual(['ended'])
  })

  it('is done again with other arguments, in another scope, after a flush, without the cache, or when it failed', async () => {
    const tool = look(() => {
      if (tool.starts === 1) throw new Error('once')
      return { number: tool.starts }
    })
    const { call } = gateBench([tool])
    const readCache = new ReadCache()
    expect((await call({ text: 'a' }, { readCache })).result.success).toBe(false)
    expect((await call({ text: 'a' }, { readCache })).result).toMatchObject({ data: { number: 2 } })
    await call({ text: 'b' }, { readCache })
    await call({ text: 'a' }, { readCache, scope: { room: '1' } })
    await call({ text: 'a' })
    readCache.flush()
    await call({ text: 'a' }, { readCache })
    expect(tool.starts).toBe(6)
  })

  it.each(['succeeds', 'fails'])('is done again after a write that %s', async (how) => {
    const tool = look()
    const write = probe({
      execute: () => {
        if (how === 'fails') throw new Error('no')
      },
    })
    const { call } = gateBench([tool, write])
    const readCache = new ReadCache()
    await call({ text: 'a' }, { readCache })
    await call({ text: 'a' }, { name: 'probe', readCache })
    await call({ text: 'a' }, { readCache })
    expect(tool.starts).toBe(2)
  })

  it('is not kept when a write came in while it was reading', async () => {
    const reading = deferred()
    const tool = look(() => (tool.starts === 1 ? reading.promise.then(() => 'old') : 'new'))
    const write = probe()
    const { call } = gateBench([tool, write])
    const readCache = new ReadCache()
    const slow = call({ text: 'a' }, { readCache })
    await call({ text: 'a' }, { name: 'probe', readCache })
    reading.resolve()
    expect((await slow).result).toMatchObject({ data: 'old' })
    expect((await call({ text: 'a' }, { readCache })).result).toMatchObject({ data: 'new' })
  })

  it('is not kept while a write is under way, whenever it began', async () => {
    const writing = deferred()
    let value = 'old'
    const tool = look(() => value)
    const write = probe({ execute: () => writing.promise.then(() => (value = 'new')) })
    const { call } = gateBench([tool, write])
    const readCache = new ReadCache()
    const slowWrite = call({ text: 'a' }, { name: 'probe', readCache })
    expect((await call({ text: 'a' }, { readCache })).result).toMatchObject({ data: 'old' })
    writing.resolve()
    await slowWrite
    expect((await call({ text: 'a' }, { readCache })).result).toMatchObject({ data: 'new' })
  })

  it('is done again by a tool that wants no cache', async () => {
    const tool = probe({ name: 'look', kind: 'read', cache: false })
    const { call } = gateBench([tool])
    const readCache = new ReadCache()
    await call({ text: 'a' }, { readCache })
    await call({ text: 'a' }, { readCache })
    expect(tool.starts).toBe(2)
  })
})
