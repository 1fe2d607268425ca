import { describe, expect, it } from 'vitest'
import { StoreError } from '../errors/store-error.ts'
import { deferred, probe, until } from '../gate/testing/gate-bench.ts'
import { createMemoryStore } from '../store/memory-store.ts'
import type { Store } from '../store/store.ts'
import { type RunBenchOptions, readAll, runBench, textOf } from './testing/run-bench.ts'

const never = new Promise<never>(() => {})
const callOf = (text: string) => ({ name: 'probe', input: { text } })
const external = { kind: 'action', effect: 'external', approval: 'never' } as const

/** A store whose clock is an hour behind until it is put right: leases and attempts that were begun before have run out then. */
function lateStore() {
  let behindMs = 3_600_000
  const store = createMemoryStore({ now: () => new Date(Date.now() - behindMs) })
  return {
    store,
    timePasses() {
      behindMs = 0
    },
  }
}

/** The same store for a process that stops dead at one point. */
function dyingAt(store: Store, method: 'claim' | 'transact' | 'finish'): Store {
  return { ...store, calls: { ...store.calls, [method]: () => never } }
}

/** Another process on the same store: it takes up what is due. */
async function anotherProcess(store: Store, options: Omit<RunBenchOptions, 'store'>) {
  const bench = await runBench({ ...options, store })
  await bench.engine.start()
  return bench
}

describe('a run whose holder falls silent', () => {
  it('is finished by another from what was recorded, and nothing is repeated', async () => {
    const { store, timePasses } = lateStore()
    const tool = probe()
    const thinking = deferred()
    const first = await runBench({
      store,
      tools: [tool],
      script: [{ toolCalls: [callOf('a')] }, () => thinking.promise.then(() => ({ text: 'From the first.' }))],
    })
    const { run, answer } = await first.begin('go')
    await until(() => first.modelCalls.length === 2)
    timePasses()
    const second = await anotherProcess(store, { tools: [tool], script: [{ text: 'From the second.' }] })
    await until(async () => (await second.run(run.runId)).status === 'done')
    thinking.resolve()
    await readAll(answer)

    expect(tool.starts).toBe(1)
    expect(JSON.stringify(second.modelCalls[0]?.prompt.at(-1))).toContain('"success":true')
    const messages = await first.stored()
    expect(messages.filter(({ role }) => role === 'assistant').map(textOf)).toEqual(['From the second.'])
    expect((await store.runs.steps('acme', first.threadId)).map(({ step }) => step)).toEqual([0, 1])
    await second.engine.stop()
  })

  it('is not carried on by the silent one when it speaks again: what it asks for then is neither recorded nor done', async () => {
    const { store, timePasses } = lateStore()
    const tool = probe()
    const [firstThinks, secondThinks] = [deferred(), deferred()]
    const first = await runBench({
      store,
      tools: [tool],
      script: () => firstThinks.promise.then(() => ({ toolCalls: [callOf('from the first')] })),
    })
    const { run, answer } = await first.begin('go')
    await until(() => first.modelCalls.length === 1)
    timePasses()
    const second = await anotherProcess(store, {
      tools: [tool],
      script: () => secondThinks.promise.then(() => ({ text: 'From the second.' })),
    })
    await until(() => second.modelCalls.length === 1)
    firstThinks.resolve()
    await readAll(answer)
    expect(tool.starts).toBe(0)
    expect(await store.runs.steps('acme', first.threadId)).toEqual([])
    secondThinks.resolve()
    await until(async () => (await second.run(run.runId)).status === 'done')
    expect((await store.runs.steps('acme', first.threadId)).map(({ calls }) => calls)).toEqual([[]])
    await second.engine.stop()
  })

  it.each(['claim', 'transact'] as const)(
    'between its record and its calls (%s): they are carried out once',
    async (method) => {
      const { store, timePasses } = lateStore()
      const tool = probe()
      const first = await runBench({
        store: dyingAt(store, method),
        tools: [tool],
        script: [{ toolCalls: [callOf('a'), callOf('b')] }],
      })
      const { run } = await first.begin('go')
      await until(async () => (await first.run(run.runId)).step === 1)
      timePasses()
      const second = await anotherProcess(store, { tools: [tool], script: [{ text: 'Both are there.' }] })
      await until(async () => (await second.run(run.runId)).status === 'done')
      expect(tool.starts).toBe(2)
      const { items } = await store.calls.list('acme', { runId: run.runId })
      expect(items.map(({ status }) => status)).toEqual(['done', 'done'])
      await second.engine.stop()
    },
  )

  it('in the middle of an act outside: its outcome is unknown, the model is told so, and nothing is repeated', async () => {
    const { store, timePasses } = lateStore()
    const first = { tool: probe({ ...external, execute: () => never }) }
    const bench = await runBench({ store, tools: [first.tool], script: [{ toolCalls: [callOf('a')] }] })
    const { run } = await bench.begin('go')
    await until(() => first.tool.starts === 1)
    timePasses()
    const tool = probe(external)
    const second = await anotherProcess(store, { tools: [tool], script: [{ text: 'I cannot tell.' }] })
    await until(async () => (await second.run(run.runId)).status === 'done')
    expect(tool.starts).toBe(0)
    expect(JSON.stringify(second.modelCalls[0]?.prompt.at(-1))).toContain('UNKNOWN_OUTCOME')
    expect((await store.calls.list('acme', { runId: run.runId })).items).toMatchObject([{ status: 'unknown' }])
    await second.engine.stop()
  })

  it('after an act outside but before its record: unknown as well, and settled when the report comes in late', async () => {
    const { store, timePasses } = lateStore()
    const recording = deferred()
    const slow: Store = {
      ...store,
      calls: {
        ...store.calls,
        finish: (...request) => recording.promise.then(() => store.calls.finish(...request)),
      },
    }
    const tool = probe(external)
    const bench = await runBench({ store: slow, tools: [tool], script: [{ toolCalls: [callOf('a')] }] })
    const { run } = await bench.begin('go')
    await until(() => tool.starts === 1)
    timePasses()
    const second = await anotherProcess(store, { tools: [probe(external)], script: [{ text: 'I cannot tell.' }] })
    await until(async () => (await second.run(run.runId)).status === 'done')
    recording.resolve()
    await new Promise((resolve) => setImmediate(resolve))
    const { items } = await store.calls.list('acme', { runId: run.runId })
    expect(['unknown', 'done']).toContain(items[0]?.status)
    expect(tool.starts).toBe(1)
    await second.engine.stop()
  })

  it('while it waits for a card: the decision carries the call out, and another goes on', async () => {
    const { store, timePasses } = lateStore()
    const tool = probe({ kind: 'delete' })
    const first = await runBench({ store, tools: [tool], script: [{ toolCalls: [callOf('a')] }] })
    const { run } = await first.say('delete it')
    expect(run.status).toBe('waiting')
    timePasses()
    const second = await anotherProcess(store, { tools: [tool], script: [{ text: 'It is gone.' }] })
    const approvalId = (await store.approvals.list('acme', { status: 'pending' })).items[0]?.approvalId ?? ''
    await second.gate.decide({ approvalId, decision: 'approve', principal: second.alice })
    await until(async () => (await second.run(run.runId)).status === 'done')
    expect(tool.starts).toBe(1)
    expect(textOf((await first.stored()).at(-1))).toBe('It is gone.')
    await second.engine.stop()
  })
})

describe('two processes', () => {
  it('that are both woken for a run carry it out once', async () => {
    const { store, timePasses } = lateStore()
    const tool = probe()
    const dead = await runBench({
      store: dyingAt(store, 'claim'),
      tools: [tool],
      script: [{ toolCalls: [callOf('a')] }],
    })
    const { run } = await dead.begin('go')
    await until(async () => (await dead.run(run.runId)).step === 1)
    timePasses()
    const script = () => ({ text: 'Done.' })
    const others = await Promise.all([1, 2, 3].map(() => anotherProcess(store, { tools: [tool], script })))
    await until(async () => (await dead.run(run.runId)).status === 'done')
    expect(tool.starts).toBe(1)
    expect(others.flatMap(({ modelCalls }) => modelCalls)).toHaveLength(1)
    await Promise.all(others.map(({ engine }) => engine.stop()))
  })

  it('one that stops hands its run over at the next step, and the other goes on at once', async () => {
    const store = createMemoryStore()
    const working = deferred()
    const release = deferred()
    const tool = probe({
      async execute() {
        working.resolve()
        await release.promise
      },
    })
    const first = await runBench({ store, tools: [tool], script: [{ toolCalls: [callOf('a')] }, { text: 'First.' }] })
    const { run } = await first.begin('go')
    await working.promise
    const stopped = first.engine.stop()
    release.resolve()
    await stopped
    expect(await first.run(run.runId)).toMatchObject({ status: 'running', leaseOwner: undefined, step: 1 })
    const second = await anotherProcess(store, { tools: [tool], script: [{ text: 'Second.' }] })
    await until(async () => (await second.run(run.runId)).status === 'done')
    expect(tool.starts).toBe(1)
    await second.engine.stop()
  })

  it('one can stop the run that the other holds', async () => {
    const store = createMemoryStore()
    const working = deferred()
    const tool = probe({
      execute() {
        working.resolve()
        return never
      },
    })
    const limits = { renewMs: 5 }
    const first = await runBench({ store, tools: [tool], limits, script: [{ toolCalls: [callOf('a')] }] })
    const { run } = await first.begin('go')
    await working.promise
    const second = await runBench({ store, tools: [tool], script: [] })
    await second.engine.cancel({ principal: second.alice, runId: run.runId })
    await until(async () => (await second.run(run.runId)).status === 'cancelled')
    expect((await store.calls.list('acme', { runId: run.runId })).items).toMatchObject([{ status: 'cancelled' }])
  })
})

describe('a store that goes away in the middle', () => {
  it('interrupts the run, tells the reader, and the run is taken up again', async () => {
    const { store, timePasses } = lateStore()
    const away: Store = {
      ...store,
      calls: { ...store.calls, claim: () => Promise.reject(new StoreError('the database is away')) },
    }
    const tool = probe()
    const first = await runBench({ store: away, tools: [tool], script: [{ toolCalls: [callOf('a')] }] })
    const { run, answer } = await first.begin('go')
    await expect(readAll(answer)).rejects.toThrow('The database cannot be reached')
    expect(first.reports).toMatchObject([{ code: 'RUN_INTERRUPTED' }])
    timePasses()
    const second = await anotherProcess(store, { tools: [tool], script: [{ text: 'Here it is.' }] })
    await until(async () => (await second.run(run.runId)).status === 'done')
    expect(tool.starts).toBe(1)
    await second.engine.stop()
  })
})
