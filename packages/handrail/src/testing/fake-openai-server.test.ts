import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, streamText } from 'ai'
import { convertReadableStreamToArray } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { modelTools } from '../formats/ai-sdk-schemas.ts'
import { openAITool } from '../formats/openai.ts'
import { defineTool } from '../tool/define-tool.ts'
import { type FakeOpenAIServer, startFakeOpenAIServer } from './fake-openai-server.ts'

const getPage = defineTool({
  name: 'get_page',
  category: 'page',
  kind: 'read',
  description: 'Get a page.',
  inputSchema: z.strictObject({ pageId: z.string(), depth: z.int().default(1) }),
  execute: () => ({}),
  examples: [],
})
const tools = modelTools([getPage])
const model = (server: FakeOpenAIServer) =>
  createOpenAICompatible({ name: 'fake', baseURL: server.baseURL, apiKey: 'key', includeUsage: true }).chatModel('any')
const twoCalls = {
  text: 'Two of them.',
  toolCalls: [
    { name: 'get_page', input: { pageId: 'p1' } },
    { name: 'get_page', input: { pageId: 'p2' }, id: 'same' },
  ],
}

describe('startFakeOpenAIServer', () => {
  it('answers an OpenAI-compatible client', async () => {
    await using server = await startFakeOpenAIServer({ turns: [twoCalls] })
    const { text, toolCalls, finishReason, usage } = await generateText({ model: model(server), tools, prompt: 'x' })
    expect([text, finishReason, usage.totalTokens]).toEqual(['Two of them.', 'tool-calls', 15])
    expect(toolCalls.map(({ toolCallId, input }) => [toolCallId, input])).toEqual([
      ['call_1_1', { pageId: 'p1' }],
      ['same', { pageId: 'p2' }],
    ])
  })

  it('streams the same, arguments in pieces, with usage', async () => {
    await using server = await startFakeOpenAIServer({ turns: [{ ...twoCalls, reasoning: 'Hm, hm.' }] })
    const result = streamText({ model: model(server), tools, prompt: 'x' })
    const parts = await convertReadableStreamToArray(result.stream)
    expect(await result.text).toBe('Two of them.')
    expect((await result.toolCalls).map(({ input }) => input)).toEqual([{ pageId: 'p1' }, { pageId: 'p2' }])
    expect(await result.finalStep.then(({ reasoningText }) => reasoningText)).toBe('Hm, hm.')
    expect((await result.usage).totalTokens).toBe(15)
    expect(parts.filter(({ type }) => type === 'tool-input-delta')).toHaveLength(4)
  })

  it('keeps what it was asked, tools in OpenAI’s format', async () => {
    await using server = await startFakeOpenAIServer({ turns: [{ text: 'Hello.' }] })
    await generateText({ model: model(server), tools, prompt: 'Say hello' })
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer key' },
      body: { model: 'any', messages: [{ role: 'user', content: 'Say hello' }], tools: [openAITool(getPage)] },
      aborted: false,
    })
  })

  it('can answer from what it was asked', async () => {
    await using server = await startFakeOpenAIServer({
      turns: ({ messages }, turn) => ({ text: `${turn}: ${messages.length}` }),
    })
    expect((await generateText({ model: model(server), prompt: 'x' })).text).toBe('0: 1')
  })

  it('fails with the status it is told, and with when to come back', async () => {
    await using server = await startFakeOpenAIServer({
      turns: [{ status: 429, retryAfter: 7, message: 'Slow down' }, { status: 500 }],
    })
    const ask = () =>
      generateText({ model: model(server), prompt: 'x', maxRetries: 0 }).catch((error: unknown) => error)
    const limited = await ask()
    expect(APICallError.isInstance(limited)).toBe(true)
    expect(limited).toMatchObject({
      statusCode: 429,
      isRetryable: true,
      message: 'Slow down',
      responseHeaders: { 'retry-after': '7' },
    })
    expect(await ask()).toMatchObject({ statusCode: 500 })
  })

  it('fails a request beyond its script, one without its key, and one it does not know', async () => {
    await using server = await startFakeOpenAIServer({ turns: [], apiKey: 'key' })
    await expect(generateText({ model: model(server), prompt: 'x', maxRetries: 0 })).rejects.toThrow(
      'no turn for request 1',
    )
    expect((await fetch(`${server.baseURL}/models`)).status).toBe(401)
    const headers = { authorization: 'Bearer key' }
    expect((await fetch(`${server.baseURL}/nothing`, { headers })).status).toBe(404)
    expect(
      (await fetch(`${server.baseURL}/chat/completions`, { headers, method: 'POST', body: 'no json' })).status,
    ).toBe(400)
  })

  it('lists its models', async () => {
    await using server = await startFakeOpenAIServer({ turns: [], models: ['a', 'b'] })
    const list = z
      .object({ data: z.array(z.object({ id: z.string() })) })
      .parse(await (await fetch(`${server.baseURL}/models`)).json())
    expect(list.data.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('cuts a stream after what it is told to send', async () => {
    await using server = await startFakeOpenAIServer({ turns: [{ text: 'One two three', cutAfterFrames: 3 }] })
    const words: string[] = []
    const read = async () => {
      const { stream } = streamText({ model: model(server), prompt: 'x', maxRetries: 0, onError: () => {} })
      for await (const part of stream) if (part.type === 'text-delta') words.push(part.text)
    }
    await expect(read()).rejects.toThrow('Failed to process successful response')
    expect(words).toEqual(['One ', 'two '])
  })

  it('notices a client that goes away while it waits', async () => {
    const abort = new AbortController()
    const reached = Promise.withResolvers<void>()
    const delayChunks = () => {
      reached.resolve()
      return new Promise<void>(() => {})
    }
    await using server = await startFakeOpenAIServer({ turns: [{ text: 'Never', delayChunks }] })
    const asking = generateText({ model: model(server), prompt: 'x', maxRetries: 0, abortSignal: abort.signal }).catch(
      () => 'gone',
    )
    await reached.promise
    abort.abort()
    expect(await asking).toBe('gone')
    await expect.poll(() => server.requests[0]?.aborted).toBe(true)
  })

  it('closes under an open stream', async () => {
    const server = await startFakeOpenAIServer({
      turns: [{ text: 'Never', delayChunks: () => new Promise<void>(() => {}) }],
    })
    const response = await fetch(`${server.baseURL}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'any', messages: [], stream: true }),
    })
    await server.close()
    await expect(response.text()).rejects.toThrow()
  })
})
