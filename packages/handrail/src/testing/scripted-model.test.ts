import { generateText, isStepCount, streamText, tool } from 'ai'
import { convertReadableStreamToArray } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from './scripted-model.ts'

const tools = {
  get_page: tool({
    inputSchema: z.strictObject({ pageId: z.string() }),
    execute: async ({ pageId }) => ({ title: `Page ${pageId}` }),
  }),
}
const script = () =>
  scriptedModel([
    { reasoning: 'I need the page.', text: 'Looking.', toolCalls: [{ name: 'get_page', input: { pageId: 'p1' } }] },
    { text: 'It is Page p1.' },
  ])
const settings = { tools, stopWhen: isStepCount(5), prompt: 'What is p1?', maxRetries: 0 }

describe('scriptedModel', () => {
  it('says its turns one after another when generating', async () => {
    const model = script()
    const result = await generateText({ model, ...settings })
    expect(result.text).toBe('It is Page p1.')
    expect(result.steps[0]?.reasoningText).toBe('I need the page.')
    expect(result.steps[0]?.toolResults).toMatchObject([{ toolCallId: 'call_1', output: { title: 'Page p1' } }])
  })

  it('says the same when streaming, arguments in pieces', async () => {
    const model = script()
    const result = streamText({ model, ...settings })
    const parts = await convertReadableStreamToArray(result.stream)
    expect(await result.text).toBe('It is Page p1.')
    expect(parts.filter((part) => part.type === 'tool-input-delta').map((part) => part.delta)).toEqual([
      '{"pageId',
      '":"p1"}',
    ])
    expect(parts.filter((part) => part.type === 'text-delta').map((part) => part.text)).toEqual([
      'Looking.',
      'It ',
      'is ',
      'Page ',
      'p1.',
    ])
  })

  it('keeps what each call was given', async () => {
    const model = script()
    await generateText({ model, ...settings })
    expect(model.calls).toHaveLength(2)
    expect(model.calls[0]?.tools).toMatchObject([{ type: 'function', name: 'get_page' }])
    expect(model.calls[1]?.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  })

  it('can answer from what it was given, and repeat a call id', async () => {
    const model = scriptedModel(({ prompt }, turn) =>
      turn < 2
        ? { toolCalls: [{ name: 'get_page', input: { pageId: 'p' }, id: 'same' }] }
        : { text: `${prompt.length} messages` },
    )
    const result = await generateText({ model, ...settings })
    expect(result.text).toBe('5 messages')
    expect(result.steps.flatMap((step) => step.toolCalls).map(({ toolCallId }) => toolCallId)).toEqual(['same', 'same'])
  })

  it('gives malformed arguments as they are written', async () => {
    const model = scriptedModel([{ toolCalls: [{ name: 'get_page', input: '{"pageId": p1' }] }])
    const result = await generateText({ model, tools, prompt: 'x' })
    expect(result.toolCalls).toMatchObject([{ invalid: true, input: '{"pageId": p1' }])
  })

  it('fails at once, and in a stream after what it has said', async () => {
    const error = new Error('provider is down')
    await expect(generateText({ model: scriptedModel([{ error }]), ...settings })).rejects.toThrow('provider is down')
    const errors: unknown[] = []
    const result = streamText({
      model: scriptedModel([{ text: 'Half a', error }]),
      ...settings,
      onError: (event) => void errors.push(event.error),
    })
    const parts = await convertReadableStreamToArray(result.stream)
    expect(parts.filter((part) => part.type === 'text-delta').map((part) => part.text)).toEqual(['Half ', 'a'])
    expect(errors).toEqual([error])
  })

  it('refuses a call beyond the script', async () => {
    await expect(generateText({ model: scriptedModel([]), prompt: 'x', maxRetries: 0 })).rejects.toThrow(
      'The script has no turn for model call 1',
    )
  })

  it('stops in the middle of a stream that is aborted', async () => {
    const abort = new AbortController()
    let chunks = 0
    const delayChunks = async () => {
      // stream-start and text-start come first
      if (++chunks > 3) await new Promise(() => {})
    }
    const model = scriptedModel([{ text: 'One two three', delayChunks }])
    const types: string[] = []
    for await (const part of streamText({ model, prompt: 'x', abortSignal: abort.signal }).stream) {
      types.push(part.type)
      if (part.type === 'text-delta') abort.abort()
    }
    expect(types.filter((type) => type === 'text-delta')).toHaveLength(1)
    expect(types.at(-1)).toBe('abort')
  })
})
