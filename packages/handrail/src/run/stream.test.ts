import { describe, expect, it } from 'vitest'
import { NotFoundError } from '../errors/not-found-error.ts'
import { deferred, probe, until } from '../gate/testing/gate-bench.ts'
import { readAll, runBench } from './testing/run-bench.ts'
import type { RunMessage } from './ui-messages.ts'

const callOf = (name: string, text = 'a') => ({ name, input: { text } })

/**
 * What a message shows: its words and tools in their order, and beside them what the cards hold, by id. Left out are
 * marks of steps, empty texts, how the run stands, and that a waiting call's result says that it waits: the stream alone has those.
 */
function shown(message: RunMessage | undefined) {
  if (message === undefined) return undefined
  const parts: RunMessage['parts'] = JSON.parse(JSON.stringify(message.parts))
  const cards = parts.flatMap((part) => {
    if (part.type === 'data-approval') return [[part.id, part.data]]
    if (part.type !== 'data-call') return []
    const { result, ...record } = part.data as Record<string, unknown> // a call's record
    return [[part.id, record.status === 'awaiting_approval' ? record : { ...record, result }]]
  })
  const content = parts.flatMap((part): unknown[] => {
    if (part.type === 'text' || part.type === 'reasoning') return part.text === '' ? [] : [[part.type, part.text]]
    return part.type === 'step-start' || part.type.startsWith('data-') ? [] : [part]
  })
  return { id: message.id, role: message.role, content, cards: Object.fromEntries(cards) }
}

const look = () => probe({ name: 'look', kind: 'read', execute: ({ input }) => ({ seen: input.text }) })
const add = () => probe({ name: 'add', kind: 'update', risk: 'medium', describe: () => 'Added it' })
const remove = () => probe({ name: 'remove', kind: 'delete' })
const fail = () => probe({ name: 'fail', execute: () => Promise.reject(new NotFoundError('the page')) })
const unsure = () =>
  probe({ name: 'unsure', kind: 'action', effect: 'external', approval: 'never', execute: () => Promise.reject('?') })

describe('the message that a client puts together from the stream', () => {
  it.each([true, false])('is the message that the thread has afterwards (streams: %s)', async (streams) => {
    const { say, stored } = await runBench({
      streams,
      tools: [look(), add(), fail(), unsure()],
      script: [
        { reasoning: 'Let me see.', text: 'Looking.', toolCalls: [callOf('look'), callOf('look', 'b')] },
        { toolCalls: [callOf('add'), callOf('fail'), callOf('unsure'), { name: 'nothing', input: {} }] },
        { text: 'That is all.' },
      ],
    })
    const { message } = await say('go')
    expect(shown(message)).toEqual(shown((await stored()).at(-1)))
  })

  it('is the same while it waits for a card, and after each decision', async () => {
    for (const decision of ['approve', 'decline'] as const) {
      const { say, stored, store, engine, alice, threadId } = await runBench({
        tools: [remove(), look()],
        script: [{ text: 'I will.', toolCalls: [callOf('remove'), callOf('look')] }, { text: 'So be it.' }],
      })
      const { message } = await say('delete it')
      expect(shown(message)).toEqual(shown((await stored()).at(-1)))
      const approvalId = (await store.approvals.list('acme', { status: 'pending' })).items[0]?.approvalId ?? ''
      const responded = await engine.respond({ principal: alice, threadId, responses: [{ approvalId, decision }] })
      if (responded === undefined) throw new Error('it was not taken')
      const after = await readAll(responded.answer, (await stored()).at(-1))
      expect(shown(after.message)).toEqual(shown((await stored()).at(-1)))
    }
  })

  it('is the same when the model broke off and when the steps were used up', async () => {
    const broken = await runBench({
      tools: [add()],
      script: [{ toolCalls: [callOf('add')] }, { text: 'Half', error: new Error('broken off') }],
    })
    expect(shown((await broken.say('go')).message)).toEqual(shown((await broken.stored()).at(-1)))
    const endless = await runBench({
      tools: [look()],
      limits: { steps: { inline: 1, background: 1 } },
      script: [{ toolCalls: [callOf('look')] }, { text: '' }],
    })
    expect(shown((await endless.say('go')).message)).toEqual(shown((await endless.stored()).at(-1)))
  })
})

describe('a reader who comes later', () => {
  it('gets the message as it stands, then what comes, and ends with the same one', async () => {
    const halfway = deferred()
    const release = deferred()
    let chunks = 0
    const { begin, engine, alice, threadId, stored } = await runBench({
      tools: [look()],
      script: [
        { toolCalls: [callOf('look')] },
        {
          text: 'One two three four five',
          async delayChunks() {
            if (++chunks !== 5) return
            halfway.resolve()
            await release.promise
          },
        },
      ],
    })
    const { answer } = await begin('count')
    await halfway.promise
    const late = await engine.replay({ principal: alice, threadId })
    release.resolve()
    if (late === undefined) throw new Error('there was nothing to replay')
    const [first, second] = await Promise.all([readAll(answer), readAll(late)])
    expect(second.message).toEqual(first.message)
    expect(shown(second.message)).toEqual(shown((await stored()).at(-1)))
    expect(second.chunks.length).toBeLessThan(first.chunks.length)
  })

  it('gets a finished message as it ended', async () => {
    const { say, engine, alice, threadId } = await runBench({
      tools: [look()],
      script: [{ toolCalls: [callOf('look')] }, { text: 'Hi.' }],
    })
    const { message } = await say('hi')
    const replay = await engine.replay({ principal: alice, threadId })
    expect((replay && (await readAll(replay)))?.message).toEqual(message)
  })

  it('gets nothing where nothing was said', async () => {
    const { engine, alice, threadId } = await runBench({ script: [] })
    expect(await engine.replay({ principal: alice, threadId })).toBeUndefined()
  })

  it('does not see what a model said that then broke off', async () => {
    const { say, engine, alice, threadId } = await runBench({
      script: [{ text: 'Half an answ', error: new Error('x') }],
    })
    await say('hi')
    const replay = await engine.replay({ principal: alice, threadId })
    expect(JSON.stringify((replay && (await readAll(replay)))?.message)).not.toContain('Half')
  })

  it('who goes away in the middle holds up nobody', async () => {
    const release = deferred()
    const { begin, run } = await runBench({ script: [{ text: 'One two', delayChunks: () => release.promise }] })
    const { answer, run: started } = await begin('hi')
    await answer.cancel()
    release.resolve()
    await until(async () => (await run(started.runId)).status === 'done')
  })
})

describe('a thread while its run is at work', () => {
  it('leaves out the message under construction, which the replay has', async () => {
    const speaking = deferred()
    const release = deferred()
    const { begin, stored } = await runBench({
      script: [
        {
          text: 'Hello',
          async delayChunks() {
            speaking.resolve()
            await release.promise
          },
        },
      ],
    })
    const { answer } = await begin('hi')
    await speaking.promise
    expect((await stored()).map(({ role }) => role)).toEqual(['user'])
    release.resolve()
    await readAll(answer)
    expect((await stored()).map(({ role }) => role)).toEqual(['user', 'assistant'])
  })
})
