import type { Principal, RunChunk, RunMessage, ThreadView } from 'handrail'
import { describe, expect, it } from 'vitest'
import { type AnswerOf, wholeAnswer } from './whole-answer.ts'

const principal: Principal = {
  tenantId: 'acme',
  userId: 'alice',
  roles: [],
  actor: 'person',
  via: { door: 'chat', credentialId: 'c' },
}
const question: RunMessage = { id: 'q', role: 'user', parts: [{ type: 'text', text: 'Do it' }] }
const call = {
  type: 'tool-act',
  toolCallId: 'c1',
  state: 'output-available',
  input: {},
  output: { success: true },
} as const
const answered = (...steps: RunMessage['parts'][]): RunMessage => ({
  id: 'a',
  role: 'assistant',
  parts: steps.flatMap((parts) => [{ type: 'step-start' as const }, ...parts]),
})
const text = (words: string): RunMessage['parts'][number] => ({ type: 'text', text: words })
const whole = answered([call], [text('Done.')])

/** What the record shows, look by look; the last view stays. */
const record = (...views: { messages: RunMessage[]; status?: 'running' | 'waiting' }[]) => {
  let looks = 0
  const thread = async (): Promise<ThreadView> => {
    const { messages, status } = views[Math.min(looks++, views.length - 1)] ?? { messages: [] }
    const liveRun = status && { status }
    return { thread: {}, messages, liveRun } as ThreadView // what is looked at here is only this
  }
  return { engine: { thread }, closing: new AbortController().signal, looks: () => looks }
}
const read = async (context: ReturnType<typeof record>, chunks: RunChunk[], answer: Partial<AnswerOf> = {}) => {
  const live = new ReadableStream<RunChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  // Only these two parts of the server are used.
  const stream = wholeAnswer(context as unknown as Parameters<typeof wholeAnswer>[0], live, {
    principal,
    threadId: 't',
    ...answer,
  })
  const all: RunChunk[] = []
  for await (const chunk of stream) all.push(chunk)
  return all
}
const types = (chunks: RunChunk[]) => chunks.map(({ type }) => type)
const said = (words: string, id = 'x'): RunChunk[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta: words },
  { type: 'text-end', id },
]

describe('wholeAnswer', () => {
  it('passes on a stream that comes to its end, without a look at the record', async () => {
    const context = record({ messages: [] })
    const chunks: RunChunk[] = [
      { type: 'start', messageId: 'a' },
      ...said('Hi'),
      { type: 'finish', finishReason: 'stop' },
    ]
    expect(await read(context, chunks)).toEqual(chunks)
    expect(context.looks()).toBe(0)
  })

  it('reads from the record what another process answers, once it is there', async () => {
    const context = record(
      { messages: [question], status: 'running' },
      { messages: [question, answered([call])], status: 'running' },
      { messages: [question, whole] },
    )
    const chunks = await read(context, [], { userMessageId: 'q' })
    expect(chunks[0]).toEqual({ type: 'start', messageId: 'a' })
    expect(types(chunks)).toEqual([
      'start',
      'start-step',
      'tool-input-available',
      'tool-output-available',
      'finish-step',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'finish',
    ])
  })

  it('takes back a step that a dead process left half said', async () => {
    const context = record({ messages: [question, whole] })
    const half: RunChunk[] = [
      { type: 'start', messageId: 'a' },
      { type: 'start-step' },
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'act', input: {} },
      { type: 'tool-output-available', toolCallId: 'c1', output: { success: true } },
      { type: 'finish-step' },
      { type: 'start-step' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Do' },
    ]
    const chunks = await read(context, half)
    expect(types(chunks.slice(half.length))).toEqual(['reset-step', 'text-start', 'text-delta', 'text-end', 'finish'])
    expect(chunks).toContainEqual(expect.objectContaining({ type: 'text-delta', delta: 'Done.' }))
  })

  it('gives a client its open call, and the steps that it lacks', async () => {
    const context = record({ messages: [question, whole] })
    const chunks = await read(context, [], { messageId: 'a', shown: { steps: 1, openCalls: ['c1'] } })
    expect(types(chunks)).toEqual([
      'start',
      'tool-output-available',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'finish',
    ])
  })

  it('leaves out another message than the one the client goes on with', async () => {
    const context = record({ messages: [question, answered([call]), { ...question, id: 'q2' }] })
    const other: RunChunk[] = [
      { type: 'start', messageId: 'b' },
      ...said('Else'),
      { type: 'finish', finishReason: 'stop' },
    ]
    const chunks = await read(context, other, { messageId: 'a', shown: { steps: 1, openCalls: ['c1'] } })
    expect(types(chunks)).toEqual(['start', 'tool-output-available', 'finish'])
    expect(chunks[0]).toEqual({ type: 'start', messageId: 'a' })
  })

  it('adds nothing to a finished message that is replayed', async () => {
    const replayed: RunChunk[] = [
      { type: 'start', messageId: 'a' },
      { type: 'start-step' },
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'act', input: {} },
      { type: 'tool-output-available', toolCallId: 'c1', output: { success: true } },
      { type: 'finish-step' },
      { type: 'start-step' },
      ...said('Done.'),
      { type: 'finish-step' },
    ]
    const chunks = await read(record({ messages: [question, whole] }), [...replayed, { type: 'finish' }])
    expect(chunks).toEqual([...replayed, { type: 'finish' }])
  })
})
