import { type Schema, streamText } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../testing/scripted-model.ts'
import { defineTool } from '../tool/define-tool.ts'
import type { Tool } from '../tool/tool.ts'
import { aiSdkSchemaOf, modelTools } from './ai-sdk-schemas.ts'
import { anthropicTool } from './anthropic.ts'
import { backboardTool } from './backboard.ts'
import { mcpTool } from './mcp.ts'
import { openAITool } from './openai.ts'

const addDependency = defineTool({
  name: 'add_dependency',
  category: 'dependency',
  kind: 'create',
  effect: 'transaction',
  egress: false,
  untrusted: false,
  description: 'Say that one game system needs another.',
  inputSchema: z.strictObject({
    sourceId: z.string().describe('Id of the system that needs the other'),
    targetId: z.string().describe('Id of the system that is needed'),
    kind: z.enum(['requires', 'enhances', 'optional']).default('requires'),
    systemIds: z.array(z.string()).optional(),
  }),
  execute: () => ({}),
  examples: [],
})
const now = defineTool({
  name: 'now',
  category: 'clock',
  kind: 'read',
  description: 'Say what time it is.',
  inputSchema: z.strictObject({}),
  execute: () => ({}),
  examples: [],
})
const arguments_ = {
  type: 'object',
  properties: {
    sourceId: { type: 'string', description: 'Id of the system that needs the other' },
    targetId: { type: 'string', description: 'Id of the system that is needed' },
    kind: { type: 'string', enum: ['requires', 'enhances', 'optional'], description: 'Default: "requires"' },
    systemIds: { type: 'array', items: { type: 'string' } },
  },
  required: ['sourceId', 'targetId'],
  additionalProperties: false,
}

describe('formats', () => {
  it('pins the shape for OpenAI', () => {
    expect(openAITool(addDependency)).toEqual({
      type: 'function',
      function: {
        name: 'add_dependency',
        description: 'Say that one game system needs another.',
        parameters: arguments_,
      },
    })
  })

  it('pins the shape for Anthropic', () => {
    expect(anthropicTool(addDependency)).toEqual({
      name: 'add_dependency',
      description: 'Say that one game system needs another.',
      input_schema: arguments_,
    })
  })

  it('pins the shape for Backboard, parameters present for a tool without arguments', () => {
    expect(backboardTool(now)).toEqual({
      type: 'function',
      function: {
        name: 'now',
        description: 'Say what time it is.',
        parameters: { type: 'object', properties: {}, additionalProperties: false },
      },
    })
  })

  it('pins the shape for MCP', () => {
    expect(mcpTool(addDependency)).toEqual({
      name: 'add_dependency',
      title: 'Add dependency',
      description: 'Say that one game system needs another.',
      inputSchema: arguments_,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    })
  })

  it.each([
    ['read', undefined, { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }],
    [
      'create',
      'transaction',
      { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    ],
    [
      'update',
      'transaction',
      { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    ],
    [
      'delete',
      'transaction',
      { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    ],
    [
      'action',
      'transaction',
      { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    ],
    ['create', 'external', { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true }],
  ] as const)('annotates %s, %s', (kind, effect, annotations) => {
    expect(mcpTool({ ...addDependency, kind, effect }).annotations).toEqual(annotations)
  })

  it('says open world of a read that can carry data out or bring outsiders’ text in', () => {
    expect(mcpTool({ ...now, egress: true, untrusted: false }).annotations.openWorldHint).toBe(true)
    expect(mcpTool({ ...now, egress: false, untrusted: true }).annotations.openWorldHint).toBe(true)
  })

  it('writes another name where one is given', () => {
    expect(openAITool(now, 'clock__now').function.name).toBe('clock__now')
    expect(anthropicTool(now, 'clock__now').name).toBe('clock__now')
    expect(mcpTool(now, 'clock__now').name).toBe('clock__now')
    expect(backboardTool(now, 'clock__now').function.name).toBe('clock__now')
  })
})

describe('modelTools', () => {
  it('gives a model the tools without execute, once per list', () => {
    const tools: readonly Tool[] = [addDependency, now]
    expect(modelTools(tools)).toBe(modelTools(tools))
    expect(Object.keys(modelTools(tools))).toEqual(['add_dependency', 'now'])
    expect(modelTools(tools).now).not.toHaveProperty('execute')
  })

  it('keeps one schema per tool, also for a copy of it', () => {
    expect(aiSdkSchemaOf({ ...now })).toBe(aiSdkSchemaOf(now))
  })

  it('tells the model what to write, and lets the gate judge what it wrote', async () => {
    const model = scriptedModel([{ toolCalls: [{ name: 'add_dependency', input: { source: 7 } }] }])
    const { toolCalls } = streamText({ model, prompt: 'x', tools: modelTools([addDependency]) })
    expect((await toolCalls)[0]).toMatchObject({ toolName: 'add_dependency', input: { source: 7 } })
    expect((await toolCalls)[0]?.invalid).toBeUndefined()
    expect(model.calls[0]?.tools).toEqual([
      {
        type: 'function',
        name: 'add_dependency',
        description: 'Say that one game system needs another.',
        inputSchema: arguments_,
      },
    ])
  })

  it('accepts any value in validation', async () => {
    const { validate }: Schema<unknown> = aiSdkSchemaOf(now)
    expect(await validate?.('nonsense')).toEqual({ success: true, value: 'nonsense' })
  })
})
