import { describe, expect, it } from 'vitest'
import { deferred, probe, until } from '../gate/testing/gate-bench.ts'
import { readAll, runBench, textOf } from './testing/run-bench.ts'

const callOf = (name: string, text = 'a') => ({ name, input: { text } })

describe('a run', () => {
  it('carries out what the model asks for through the gate, and answers', async () => {
    const tool = probe({ execute: ({ input }) => ({ made: input.text }) })
    const { say, store, modelCalls } = await runBench({
      tools: [tool],
      script: [{ toolCalls: [callOf('probe')] }, { text: 'I made a.' }],
    })
    const { message, run } = await say('make a')
    expect(textOf(message)).toBe('I made a.')
    expect(run).toMatchObject({ status: 'done', step: 2, finishReason: 'stop' })
    const { items } = await store.calls.list('acme', { runId: run.runId })
    expect(items).toMatchObject([{ toolName: 'probe', status: 'done', principal: { actor: 'agent', userId: 'alice' } }])
    expect(JSON.stringify(modelCalls[1]?.prompt)).toContain('{"made":"a"}')
  })

  it('tells the model of bad arguments and unknown tools, which can then do better', async () => {
    const tool = probe()
    const { say, modelCalls } = await runBench({
      tools: [tool],
      script: [
        {
          toolCalls: [
            { name: 'probe', input: { text: 7 } },
            { name: 'prob', input: {} },
            { name: 'probe', input: '{"te' },
          ],
        },
        { toolCalls: [callOf('probe')] },
        { text: 'Done.' },
      ],
    })
    const { run } = await say('make a')
    expect(run.status).toBe('done')
    expect(tool.starts).toBe(1)
    const told = JSON.stringify(modelCalls[1]?.prompt)
    expect(told).toContain('VALIDATION')
    expect(told).toContain('UNKNOWN_TOOL')
  })

  it('gives calls ids of its own, since providers repeat theirs', async () => {
    const tool = probe()
    const { say } = await runBench({
      tools: [tool],
      script: [
        { toolCalls: [{ ...callOf('probe'), id: 'call_0' }] },
        { toolCalls: [{ ...callOf('probe', 'b'), id: 'call_0' }] },
        { text: 'Done.' },
      ],
    })
    await say('make a, then b')
    expect(tool.starts).toBe(2)
  })

  it('goes on with what was said before', async () => {
    const { say, modelCalls } = await runBench({ script: [{ text: 'Hello Ada.' }, { text: 'Ada.' }] })
    await say('I am Ada.')
    await say('Who am I?')
    expect(modelCalls[1]?.prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  })

  it('lists under its answer what of medium risk it changed, from the record and not from the model', async () => {
    const change = probe({ name: 'change', kind: 'update', risk: 'medium', describe: () => 'Renamed the page' })
    const add = probe({ name: 'add', kind: 'create', risk: 'low', describe: () => 'Added a page' })
    const { say } = await runBench({
      tools: [change, add],
      script: [{ toolCalls: [callOf('change'), callOf('add')] }, { text: 'I did nothing.' }],
    })
    const { message } = await say('rename it')
    expect(textOf(message)).toBe('I did nothing.\nChanged:\n- Renamed the page')
  })
})

describe('several calls in a step', () => {
  it('are carried out reads together, then writes in the order the model gave', async () => {
    const order: string[] = []
    const bothRead = deferred()
    const look = probe({
      name: 'look',
      kind: 'read',
      async execute({ input }) {
        order.push(`look ${input.text}`)
        if (order.length === 2) bothRead.resolve()
        await bothRead.promise
      },
    })
    const write = probe({
      name: 'write',
      async execute({ input }) {
        order.push(`begin ${input.text}`)
        await new Promise((resolve) => setImmediate(resolve))
        order.push(`end ${input.text}`)
      },
    })
    const { say } = await runBench({
      tools: [look, write],
      script: [
        { toolCalls: [callOf('write', '1'), callOf('look', '1'), callOf('write', '2'), callOf('look', '2')] },
        { text: 'Done.' },
      ],
    })
    await say('go')
    expect(order).toEqual(['look 1', 'look 2', 'begin 1', 'end 1', 'begin 2', 'end 2'])
  })

  it('are read by the model in its own order, whoever ended first', async () => {
    const look = probe({ name: 'look', kind: 'read', execute: ({ input }) => ({ at: input.text }) })
    const write = probe({ name: 'write', execute: ({ input }) => ({ at: input.text }) })
    const { say, modelCalls } = await runBench({
      tools: [look, write],
      script: [{ toolCalls: [callOf('write', '1'), callOf('look', '2'), callOf('write', '3')] }, { text: 'Done.' }],
    })
    await say('go')
    const results = modelCalls[1]?.prompt.at(-1)?.content
    expect(
      JSON.stringify(results)
        .match(/"at\\?":\\?"(\d)/g)
        ?.map((hit) => hit.at(-1)),
    ).toEqual(['1', '2', '3'])
  })

  it('with a card among them: the others are carried out, and the run waits', async () => {
    const add = probe({ name: 'add' })
    const remove = probe({ name: 'remove', kind: 'delete' })
    const { say } = await runBench({
      tools: [add, remove],
      script: [{ toolCalls: [callOf('remove'), callOf('add')] }, { text: 'Done.' }],
    })
    const { run } = await say('go')
    expect(run.status).toBe('waiting')
    expect([add.starts, remove.starts]).toEqual([1, 0])
  })
})

describe('the end of a run', () => {
  it('comes with a conclusion when the steps are used up, without tools', async () => {
    const tool = probe()
    const { say, modelCalls } = await runBench({
      tools: [tool],
      limits: { steps: { inline: 2, background: 2 } },
      script: (_, turn) => (turn < 2 ? { toolCalls: [callOf('probe', `${turn}`)] } : { text: 'This far I came.' }),
    })
    const { message, run } = await say('go on for ever')
    expect(textOf(message)).toBe('This far I came.')
    expect(run).toMatchObject({ status: 'done', finishReason: 'step-limit', step: 3 })
    expect(tool.starts).toBe(2)
    expect(modelCalls[2]?.toolChoice).toEqual({ type: 'none' })
  })

  it('comes with a sentence of ours when the model has none even then', async () => {
    const tool = probe({ describe: () => 'Added a page' })
    const { say } = await runBench({
      tools: [tool],
      limits: { steps: { inline: 1, background: 1 } },
      script: [{ toolCalls: [callOf('probe')] }, { text: '' }],
    })
    const { message, run } = await say('go')
    expect(textOf(message)).toContain('I stopped after 1 step')
    expect(textOf(message)).toContain('- Added a page')
    expect(run.status).toBe('done')
  })

  it('comes with a sentence of ours when the model answers nothing, twice', async () => {
    const { say, modelCalls } = await runBench({ script: [{ text: '' }, { text: ' ' }] })
    const { message, run } = await say('hello?')
    expect(textOf(message)).toContain('I have no further answer')
    expect(run.status).toBe('done')
    expect(modelCalls).toHaveLength(2)
  })

  it('does not carry out what a model calls that was told it has no tools', async () => {
    const tool = probe()
    const { say } = await runBench({
      tools: [tool],
      limits: { steps: { inline: 1, background: 1 } },
      script: [{ toolCalls: [callOf('probe')] }, { toolCalls: [callOf('probe', 'b')] }],
    })
    const { run, message } = await say('go')
    expect(tool.starts).toBe(1)
    expect(run.status).toBe('done')
    expect(textOf(message)).not.toBe('')
  })

  it('comes when its active time is used up', async () => {
    const { say } = await runBench({
      tools: [probe()],
      limits: { activeMs: { inline: 0, background: 0 } },
      script: [{ text: 'No time.' }],
    })
    expect((await say('go')).run).toMatchObject({ status: 'done', finishReason: 'concluded' })
  })

  it.each([true, false])(
    'tells the person when the model cannot be had, and keeps what was done (streams: %s)',
    async (streams) => {
      const tool = probe({ kind: 'update', risk: 'medium', describe: () => 'Renamed it' })
      const { say, stored } = await runBench({
        tools: [tool],
        streams,
        script: [{ toolCalls: [callOf('probe')] }, { error: new Error('api key sk-123 is wrong') }],
      })
      const { message, run } = await say('go')
      expect(run).toMatchObject({ status: 'failed', finishReason: 'model-unreachable' })
      expect(textOf(message)).toContain('The language model cannot be reached')
      expect(textOf(message)).toContain('Renamed it')
      expect(textOf((await stored()).at(-1))).toBe(textOf(message))
      expect(JSON.stringify([message, await stored()])).not.toContain('sk-123')
    },
  )

  it('takes back what the model had begun to say when it breaks off', async () => {
    const { say, stored } = await runBench({ script: [{ text: 'Half an', error: new Error('broken off') }] })
    const { message } = await say('go')
    expect(textOf(message)).not.toContain('Half')
    expect(textOf((await stored()).at(-1))).toBe(textOf(message))
  })

  it('comes even when the pack cannot say what the conversation is about', async () => {
    const { say, reports } = await runBench({
      pack: {
        instructions() {
          throw new Error('the project is gone')
        },
      },
      script: [{ text: 'Hello.' }],
    })
    const { run } = await say('hello')
    expect(run.status).toBe('done')
    expect(reports).toMatchObject([{ code: 'INSTRUCTIONS_THREW' }])
  })

  it('comes even when a tool cannot say what its result is about', async () => {
    const tool = {
      ...probe(),
      entities() {
        throw new TypeError('items is not iterable')
      },
    }
    const { say } = await runBench({ tools: [tool], script: [{ toolCalls: [callOf('probe')] }, { text: 'Done.' }] })
    expect((await say('go')).run.status).toBe('done')
  })
})

describe('a message while a run is at work', () => {
  it('is delivered at its next step, and answered by the same run', async () => {
    const started = deferred()
    const release = deferred()
    const tool = probe({
      async execute() {
        started.resolve()
        await release.promise
      },
    })
    const { begin, run, store, threadId, modelCalls } = await runBench({
      tools: [tool],
      script: [{ toolCalls: [callOf('probe')] }, { text: 'Blue it is.' }],
    })
    const first = await begin('make it red')
    await started.promise
    const second = await begin('no, blue')
    expect(second).toMatchObject({ kind: 'queued', run: { runId: first.run.runId } })
    release.resolve()
    await until(async () => (await run(first.run.runId)).status === 'done')
    expect((await store.runs.list('acme', { threadId })).items).toHaveLength(1)
    expect(modelCalls[1]?.prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user'])
  })

  it('that comes in at the very end is answered all the same', async () => {
    const streaming = deferred()
    const release = deferred()
    const { begin, run } = await runBench({
      script: [
        {
          text: 'Red.',
          async delayChunks() {
            streaming.resolve()
            await release.promise
          },
        },
        { text: 'Blue.' },
      ],
    })
    const first = await begin('make it red')
    await streaming.promise
    const second = await begin('no, blue')
    release.resolve()
    const [one, two] = await Promise.all([readAll(first.answer), readAll(second.answer)])
    expect(textOf(one.message)).toBe('Red.')
    expect(textOf(two.message)).toBe('Blue.')
    expect((await run(first.run.runId)).status).toBe('done')
  })
})

describe('a message while a run waits for a card', () => {
  const script = [{ toolCalls: [callOf('remove')] }, { text: 'It is still waiting.' }]

  it('lets the run go on with it, and the card stays decidable', async () => {
    const remove = probe({ name: 'remove', kind: 'delete', describe: () => 'Deleted it' })
    const { say, gate, alice, store, engine, stored, modelCalls } = await runBench({ tools: [remove], script })
    await engine.start()
    const first = await say('delete it')
    expect(first.run.status).toBe('waiting')
    const second = await say('what are you waiting for?')
    expect(second.run).toMatchObject({ runId: first.run.runId, status: 'done' })
    expect(textOf(second.message)).toBe('It is still waiting.')
    expect(JSON.stringify(modelCalls[1]?.prompt)).toContain('requiresConfirmation')
    expect(remove.starts).toBe(0)

    const approvalId = (await store.approvals.list('acme', { status: 'pending' })).items[0]?.approvalId ?? ''
    const decided = await gate.decide({ approvalId, decision: 'approve', principal: alice })
    expect(decided).toMatchObject({ call: { status: 'done' } })
    expect(remove.starts).toBe(1)
    await until(async () => textOf((await stored()).at(-1)).includes('Deleted it'))
    expect((await stored()).filter((message) => textOf(message).includes('has been approved'))).toHaveLength(1)
    await gate.decide({ approvalId, decision: 'approve', principal: alice })
    await engine.stop()
    expect((await stored()).filter((message) => textOf(message).includes('has been approved'))).toHaveLength(1)
  })
})

describe('a decision on what a run waits for', () => {
  async function waiting(answer: string) {
    const remove = probe({ name: 'remove', kind: 'delete' })
    const bench = await runBench({
      tools: [remove],
      script: [{ toolCalls: [callOf('remove')] }, { text: answer }],
    })
    await bench.engine.start()
    const { run, message } = await bench.say('delete it')
    const approvalId = (await bench.store.approvals.list('acme', { status: 'pending' })).items[0]?.approvalId ?? ''
    expect(run.status).toBe('waiting')
    return { ...bench, remove, runId: run.runId, approvalId, message }
  }

  it('approve: carries it out and lets the run go on with its outcome', async () => {
    const { gate, alice, approvalId, run, runId, remove, engine, modelCalls } = await waiting('It is gone.')
    await gate.decide({ approvalId, decision: 'approve', principal: alice })
    await until(async () => (await run(runId)).status === 'done')
    expect(remove.starts).toBe(1)
    expect(JSON.stringify(modelCalls[1]?.prompt.at(-1))).toContain('"success":true')
    await engine.stop()
  })

  it('decline: carries nothing out and tells the model why', async () => {
    const { gate, alice, approvalId, run, runId, remove, engine, modelCalls } = await waiting('Then not.')
    await gate.decide({ approvalId, decision: 'decline', reason: 'I need it', principal: alice })
    await until(async () => (await run(runId)).status === 'done')
    expect(remove.starts).toBe(0)
    expect(JSON.stringify(modelCalls[1]?.prompt.at(-1))).toContain('I need it')
    await engine.stop()
  })

  it('with an answer that is streamed: the message goes on where it stood', async () => {
    const { engine, alice, threadId, approvalId, message, stored } = await waiting('It is gone.')
    const responded = await engine.respond({
      principal: alice,
      threadId,
      responses: [{ approvalId, decision: 'approve' }],
    })
    const answer = responded && (await readAll(responded.answer, message))
    expect(answer?.message.id).toBe(message.id)
    expect(textOf(answer?.message)).toBe('It is gone.')
    expect((await stored()).filter(({ role }) => role === 'assistant')).toHaveLength(1)
    await engine.stop()
  })
})

describe('a run that is stopped', () => {
  it('while the model speaks ends as cancelled, and says so', async () => {
    const speaking = deferred()
    let chunks = 0
    const { begin, engine, alice, stored } = await runBench({
      script: [
        {
          text: 'One two three four',
          async delayChunks() {
            if (++chunks < 4) return
            speaking.resolve()
            await new Promise(() => {})
          },
        },
      ],
    })
    const { run, answer } = await begin('count')
    const reading = readAll(answer)
    await speaking.promise
    const cancelled = await engine.cancel({ principal: alice, runId: run.runId })
    expect(cancelled).toMatchObject({ status: 'cancelled' })
    expect(textOf((await reading).message)).toContain('Stopped')
    expect(textOf((await stored()).at(-1))).toContain('Stopped')
  })

  it('while a tool is at work stops it, keeps what was done, and starts nothing more', async () => {
    const working = deferred()
    const tool = probe({
      execute({ input }) {
        if (input.text === '1') return 'done'
        working.resolve()
        return new Promise(() => {})
      },
    })
    const { begin, engine, alice, store } = await runBench({
      tools: [tool],
      script: [{ toolCalls: [callOf('probe', '1'), callOf('probe', '2'), callOf('probe', '3')] }],
    })
    const { run } = await begin('go')
    await working.promise
    expect(await engine.cancel({ principal: alice, runId: run.runId })).toMatchObject({ status: 'cancelled' })
    const { items } = await store.calls.list('acme', { runId: run.runId })
    expect(items.map(({ status }) => status).sort()).toEqual(['cancelled', 'done'])
    expect(tool.starts).toBe(2)
  })

  it('while it waits withdraws what it had asked for', async () => {
    const remove = probe({ name: 'remove', kind: 'delete' })
    const { say, engine, alice, store, gate } = await runBench({
      tools: [remove],
      script: [{ toolCalls: [callOf('remove')] }],
    })
    const { run } = await say('delete it')
    await engine.cancel({ principal: alice, runId: run.runId })
    const approval = (await store.approvals.list('acme', {})).items[0]
    expect(approval?.status).toBe('withdrawn')
    const decision = { approvalId: approval?.approvalId ?? '', decision: 'approve', principal: alice } as const
    expect(await gate.decide(decision)).toMatchObject({ kind: 'conflict', call: { status: 'cancelled' } })
    expect(remove.starts).toBe(0)
  })

  it('is not stopped by anybody else', async () => {
    const release = deferred()
    const {
      begin,
      engine,
      alice,
      run: runOf,
    } = await runBench({
      script: [{ text: 'Hi.', delayChunks: () => release.promise }],
    })
    const { run } = await begin('hi')
    const mallory = { ...alice, tenantId: 'other', userId: 'mallory' }
    expect(await engine.cancel({ principal: mallory, runId: run.runId })).toBeUndefined()
    expect(await engine.cancel({ principal: { ...alice, userId: 'bob' }, runId: run.runId })).toBeUndefined()
    release.resolve()
    await until(async () => (await runOf(run.runId)).status === 'done')
  })
})

describe('a thread', () => {
  it('is nobody else’s to read, follow, answer or write to', async () => {
    const { say, engine, alice, threadId } = await runBench({ script: [{ text: 'Secret.' }] })
    await say('hi')
    for (const principal of [
      { ...alice, userId: 'bob' },
      { ...alice, tenantId: 'other' },
    ]) {
      const request = { principal, threadId }
      expect(await engine.thread(request)).toBeUndefined()
      expect(await engine.replay(request)).toBeUndefined()
      expect(await engine.follow(request)).toBeUndefined()
      expect(await engine.respond({ ...request, responses: [] })).toBeUndefined()
      expect(await engine.send({ ...request, parts: [] })).toMatchObject({ kind: 'missing' })
    }
  })

  it('takes so many runs an hour and no more', async () => {
    const { say, engine, alice, threadId } = await runBench({
      limits: { runsPerHour: 2 },
      script: () => ({ text: 'Hi.' }),
    })
    await say('1')
    await say('2')
    const third = await engine.send({ principal: alice, threadId, parts: [{ type: 'text', text: '3' }] })
    expect(third).toMatchObject({ kind: 'limited', retryAt: expect.any(Date) })
  })

  it('remembers that text from outside came in, in this run and in later ones', async () => {
    const outside = probe({ name: 'outside', kind: 'read', untrusted: true })
    const send = probe({ name: 'send', kind: 'read', egress: true })
    const { say } = await runBench({
      tools: [outside, send],
      script: [
        { toolCalls: [callOf('send', 'first.example')] },
        { toolCalls: [callOf('outside')] },
        { toolCalls: [callOf('send', 'evil.example')] },
      ],
    })
    const { run } = await say('look around')
    expect(run.status).toBe('waiting')
    expect(send.starts).toBe(1)
  })
})
