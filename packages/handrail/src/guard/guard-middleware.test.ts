import type { LanguageModelV4Content, LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { generateText, isStepCount, jsonSchema, streamText, tool, wrapLanguageModel } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { scriptedModel } from '../testing/scripted-model.ts'
import { guardMiddleware } from './guard-middleware.ts'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}
const stopped: LanguageModelV4FinishReason = { unified: 'stop', raw: 'stop' }
const call = '<tool_call>\n{"name": "get_page", "arguments": {"id": "7"}}\n</tool_call>'

function pageTool(ran: unknown[]) {
  return tool({
    inputSchema: jsonSchema<{ id: string }>({
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
      additionalProperties: false,
    }),
    execute: async (input) => {
      ran.push(input)
      return { title: 'Home' }
    },
  })
}

/** Streams one text in these pieces, each as one delta. */
function streaming(pieces: readonly string[], finishReason = stopped, further: LanguageModelV4StreamPart[] = []) {
  const parts: LanguageModelV4StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: 't' },
    ...pieces.map((delta) => ({ type: 'text-delta', id: 't', delta }) as const),
    { type: 'text-end', id: 't' },
    ...further,
    { type: 'finish', finishReason, usage },
  ]
  return new MockLanguageModelV4({ doStream: { stream: simulateReadableStream({ chunks: parts }) } })
}

async function streamed(model: MockLanguageModelV4, options = {}) {
  const ran: unknown[] = []
  const result = streamText({
    model: wrapLanguageModel({ model, middleware: guardMiddleware(options) }),
    tools: { get_page: pageTool(ran) },
    prompt: 'Show page 7',
  })
  const types: string[] = []
  let text = ''
  let reasoning = ''
  for await (const part of result.stream) {
    if (types.at(-1) !== part.type) types.push(part.type)
    if (part.type === 'text-delta') text += part.text
    if (part.type === 'reasoning-delta') reasoning += part.text
  }
  return { ran, text, reasoning, types, finishReason: await result.finishReason }
}

function generating(content: LanguageModelV4Content[], finishReason = stopped) {
  return new MockLanguageModelV4({ doGenerate: { content, finishReason, usage, warnings: [] } })
}

async function generated(model: MockLanguageModelV4) {
  const ran: unknown[] = []
  const result = await generateText({
    model: wrapLanguageModel({ model, middleware: guardMiddleware() }),
    tools: { get_page: pageTool(ran) },
    prompt: 'Show page 7',
  })
  return {
    ran,
    text: result.text,
    reasoning: result.reasoningText,
    finishReason: result.finishReason,
    calls: result.toolCalls,
  }
}

describe('guardMiddleware', () => {
  it('runs a tool that the model called in text, and goes on with its result', async () => {
    const ran: unknown[] = []
    const model = scriptedModel([{ text: `Let me look.\n${call}` }, { text: 'The page is called Home.' }])
    const result = await generateText({
      model: wrapLanguageModel({ model, middleware: guardMiddleware() }),
      tools: { get_page: pageTool(ran) },
      stopWhen: isStepCount(2),
      prompt: 'Show page 7',
    })
    expect(ran).toEqual([{ id: '7' }])
    expect(result.text).toBe('The page is called Home.')
    expect(result.steps[0]?.text).toBe('Let me look.\n')
    expect(result.steps[0]?.finishReason).toBe('tool-calls')
  })

  it('runs a tool that was called in streamed text, however it is cut', async () => {
    for (const pieces of [[`Sure. ${call}`], [...`Sure. ${call}`], ['Sure. <tool', call.slice(5)]]) {
      const { ran, text, finishReason } = await streamed(streaming(pieces))
      expect({ ran, text, finishReason }).toEqual({ ran: [{ id: '7' }], text: 'Sure. ', finishReason: 'tool-calls' })
    }
  })

  it('sends no text part for a message that is all call', async () => {
    const { types } = await streamed(streaming([call]))
    expect(types).toEqual([
      'start',
      'start-step',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      'tool-result',
      'finish-step',
      'finish',
    ])
  })

  it('leaves an answer alone that calls nothing', async () => {
    const answer = 'Use `get_page` with an id, e.g. {"id": "7"}.'
    expect(await streamed(streaming(['Use `get_', 'page` with an id, e.g. {"id', '": "7"}.']))).toMatchObject({
      ran: [],
      text: answer,
      finishReason: 'stop',
    })
    expect(await generated(generating([{ type: 'text', text: answer }]))).toMatchObject({
      ran: [],
      text: answer,
      finishReason: 'stop',
    })
  })

  it('keeps reasoning apart, and does not run what was only thought of', async () => {
    const message = `<think>I could ${call} now.</think>\n\nWhich page?`
    const answer = { ran: [], text: 'Which page?', reasoning: `I could ${call} now.` }
    expect(await streamed(streaming([...message]))).toMatchObject(answer)
    expect(await generated(generating([{ type: 'text', text: message }]))).toMatchObject(answer)
  })

  it('does not run what was thought of before a closing tag whose opening tag is in the prompt', async () => {
    const message = `I could ${call} now.\n</think>\n\nWhich page?`
    expect((await streamed(streaming([...message]))).ran).toEqual([])
    expect(await generated(generating([{ type: 'text', text: message }]))).toMatchObject({
      ran: [],
      text: 'Which page?',
      reasoning: `I could ${call} now.\n`,
    })
    const known = await streamed(streaming([...message]), { startsInReasoning: true })
    expect(known).toMatchObject({ ran: [], text: 'Which page?', reasoning: `I could ${call} now.\n` })
  })

  it('takes no call that was cut off by the length limit', async () => {
    const cut = '<tool_call>{"name": "get_page", "arguments": {"id": "7"'
    const length: LanguageModelV4FinishReason = { unified: 'length', raw: 'length' }
    expect(await streamed(streaming([cut], length))).toMatchObject({ ran: [], text: cut, finishReason: 'length' })
    expect(await generated(generating([{ type: 'text', text: cut }], length))).toMatchObject({ ran: [], text: cut })
    expect((await streamed(streaming([cut]))).ran).toEqual([{ id: '7' }])
  })

  it('makes a call once that the model made properly and wrote as well', async () => {
    const proper = { type: 'tool-call', toolCallId: 'c1', toolName: 'get_page', input: '{"id":"7"}' } as const
    expect((await streamed(streaming([call], { unified: 'tool-calls', raw: undefined }, [proper]))).ran).toHaveLength(1)
    expect((await generated(generating([{ type: 'text', text: call }, proper]))).ran).toHaveLength(1)
  })

  it('passes answers through that were asked for as JSON', async () => {
    const text = '{"name": "get_page", "arguments": {"id": "7"}}'
    const middleware = guardMiddleware()
    const model = generating([{ type: 'text', text }])
    const result = await wrapLanguageModel({ model, middleware }).doGenerate({
      prompt: [],
      responseFormat: { type: 'json' },
      tools: [{ type: 'function', name: 'get_page', inputSchema: { type: 'object' } }],
    })
    expect(result.content).toEqual([{ type: 'text', text }])
  })

  it('tells of each call it recovers', async () => {
    const told: unknown[] = []
    await streamed(streaming([call]), { onRecovered: (recovered: unknown) => told.push(recovered) })
    expect(told).toEqual([{ name: 'get_page', arguments: { id: '7' } }])
  })

  it('finds no call when the model was told to call nothing', async () => {
    const result = await wrapLanguageModel({
      model: generating([{ type: 'text', text: call }]),
      middleware: guardMiddleware(),
    }).doGenerate({
      prompt: [],
      toolChoice: { type: 'none' },
      tools: [{ type: 'function', name: 'get_page', inputSchema: { type: 'object' } }],
    })
    expect(result.content).toEqual([{ type: 'text', text: call }])
  })
})
