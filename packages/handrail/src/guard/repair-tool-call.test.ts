import { generateText, jsonSchema, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import type { ObjectSchema } from '../tool/json-schema.ts'
import { repairInput, repairToolCall } from './repair-tool-call.ts'

const schema: ObjectSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
  additionalProperties: false,
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}

describe('repairInput', () => {
  it.each([
    ['trailing commas', '{"city": "Paris",}', { city: 'Paris' }],
    ['single quotes and Python words', "{'city': 'Paris', 'days': 3}", { city: 'Paris', days: 3 }],
    ['missing brackets', '{"city": "Paris", "days": 3', { city: 'Paris', days: 3 }],
    ['a fence around them', '```json\n{"city": "Paris"}\n```', { city: 'Paris' }],
    ['a quote inside a string', '{"city": "the "city of light" itself"}', { city: 'the "city of light" itself' }],
    ['a raw line break', '{"city": "Paris\nFrance"}', { city: 'Paris\nFrance' }],
    ['a number as text', '{"city": "Paris", "days": "3"}', { city: 'Paris', days: 3 }],
    ['nothing at all', '', {}],
  ])('mends %s', (_, input, expected) => {
    expect(JSON.parse(repairInput(input, 'get_weather', schema) ?? 'null')).toEqual(expected)
  })

  it.each([
    ['words', 'the weather in Paris'],
    ['a value that cannot be meant', '{"city": "Paris", "days": "some"}'],
    ['a list', '["Paris"]'],
    ['a text that was cut off inside', '{"city": "Par'],
    ['a key that reaches the prototype', '{"city": "Paris", "__proto__": {}}'],
  ])('leaves alone: %s', (_, input) => {
    expect(repairInput(input, 'get_weather', schema)).toBeUndefined()
  })
})

describe('repairToolCall', () => {
  async function called(toolName: string, input: string) {
    const ran: unknown[] = []
    const result = await generateText({
      model: new MockLanguageModelV4({
        doGenerate: {
          content: [{ type: 'tool-call', toolCallId: 'c1', toolName, input }],
          finishReason: { unified: 'tool-calls', raw: undefined },
          usage,
          warnings: [],
        },
      }),
      tools: {
        get_weather: tool({
          inputSchema: jsonSchema<{ city: string }>({
            ...schema,
            properties: { city: { type: 'string' }, days: { type: 'integer' } },
          }),
          execute: async (given) => {
            ran.push(given)
            return 'sunny'
          },
        }),
      },
      repairToolCall,
      prompt: 'x',
    })
    return { ran, invalid: result.toolCalls[0]?.invalid === true }
  }

  it('lets a call with broken arguments run', async () => {
    expect(await called('get_weather', '{"city": "Paris",}')).toEqual({ ran: [{ city: 'Paris' }], invalid: false })
  })

  it('lets a call run whose name carries a namespace', async () => {
    expect((await called('functions.get_weather', '{"city": "Paris"}')).ran).toEqual([{ city: 'Paris' }])
  })

  it('leaves a call of an unknown tool, and one that cannot be read, to the model', async () => {
    expect(await called('get_climate', '{"city": "Paris"}')).toEqual({ ran: [], invalid: true })
    expect(await called('get_weather', 'Paris, please')).toEqual({ ran: [], invalid: true })
  })
})
