import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DefinitionError } from '../errors/definition-error.ts'
import { defineTool } from '../tool/define-tool.ts'
import type { Tool } from '../tool/tool.ts'
import { nearestNames } from './nearest-names.ts'
import type { RegistryCall, ToolCaller } from './tool-caller.ts'
import { ToolRegistry } from './tool-registry.ts'

const listPages = defineTool({
  name: 'list_pages',
  category: 'page',
  kind: 'read',
  description: 'List the pages of a site.',
  inputSchema: z.strictObject({ limit: z.int().min(1).max(50).default(20).describe('How many') }),
  execute: () => [],
  examples: [],
})
const deletePage = defineTool({
  name: 'delete_page',
  category: 'page',
  kind: 'delete',
  effect: 'transaction',
  description: 'Delete a page.',
  inputSchema: z.strictObject({ pageId: z.string() }),
  execute: () => {
    throw new Error('a registry never executes')
  },
  examples: [],
})
const named = (name: string): Tool => ({ ...listPages, name })

/** Answers every call with what it was asked. */
function echo(calls: RegistryCall[] = []): ToolCaller {
  return {
    call: async (request) => {
      calls.push(request)
      return { forModel: { success: true, echo: request.input } } as never // only what the model is given is looked at here
    },
    decide: async () => ({ answer: 'allow' }),
    respond: async () => {},
  }
}

describe('ToolRegistry', () => {
  it('gives tools by name and by category, in the order of registration', () => {
    const registry = new ToolRegistry().register(listPages).register(deletePage)
    expect(registry.get('delete_page')).toBe(deletePage)
    expect(registry.getAll()).toEqual([listPages, deletePage])
    expect(registry.getByCategory('page')).toEqual([listPages, deletePage])
    expect(registry.getByCategory('media')).toEqual([])
  })

  it('keeps one array until a tool is added', () => {
    const registry = new ToolRegistry([listPages])
    const before = registry.getAll()
    expect(registry.getAll()).toBe(before)
    registry.register(deletePage)
    expect(registry.getAll()).toEqual([listPages, deletePage])
    expect(before).toEqual([listPages])
  })

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('does not take `%s` for a tool', async (name) => {
    const registry = new ToolRegistry([listPages], echo())
    expect(registry.get(name)).toBeUndefined()
    expect(JSON.parse(await registry.executeTool(name, {}))).toMatchObject({ success: false, code: 'UNKNOWN_TOOL' })
  })

  it('can hold a tool that is named like a property of every object', async () => {
    const registry = new ToolRegistry([named('constructor')], echo())
    expect(JSON.parse(await registry.executeTool('constructor', {}))).toEqual({ success: true, echo: {} })
    expect(Object.hasOwn(registry.toAISDKTools().tools, 'constructor')).toBe(true)
  })

  it.each([
    ['list_pages', 'a tool of this name is registered already'],
    ['List_Pages', 'the name looks like `list_pages`'],
    ['ｌist_pages', 'the name looks like `list_pages`'],
    ['list pages', 'the name must be 1 to 64 letters'],
    ['', 'the name must be 1 to 64 letters'],
    ['a'.repeat(65), 'the name must be 1 to 64 letters'],
  ])('refuses the name `%s` beside list_pages', (name, problem) => {
    const registry = new ToolRegistry([listPages])
    expect(() => registry.register(named(name))).toThrow(DefinitionError)
    expect(() => registry.register(named(name))).toThrow(problem)
    expect(registry.getAll()).toEqual([listPages])
  })

  it('lists every problem of every tool in one error', () => {
    const dated = { ...deletePage, inputSchema: z.strictObject({ on: z.date() }) }
    const wordy = { ...named('list_media'), description: 'x'.repeat(1_025) }
    const make = () => new ToolRegistry([listPages, listPages, dated, wordy])
    expect(make).toThrow(/list_pages`: a tool of this name/)
    expect(make).toThrow(/delete_page`: the input schema cannot be told to a model: Date/)
    expect(make).toThrow(/list_media`: the description has 1025 characters/)
  })

  it('gives OpenAI tools', () => {
    expect(new ToolRegistry([listPages]).toOpenAITools()).toEqual([
      {
        type: 'function',
        function: {
          name: 'list_pages',
          description: 'List the pages of a site.',
          parameters: {
            type: 'object',
            properties: { limit: { type: 'integer', minimum: 1, maximum: 50, description: 'How many (default: 20)' } },
            additionalProperties: false,
          },
        },
      },
    ])
  })

  it('gives Anthropic tools', () => {
    expect(new ToolRegistry([deletePage]).toAnthropicTools()).toEqual([
      {
        name: 'delete_page',
        description: 'Delete a page.',
        input_schema: {
          type: 'object',
          properties: { pageId: { type: 'string' } },
          required: ['pageId'],
          additionalProperties: false,
        },
      },
    ])
  })

  it('is the same list for another caller', () => {
    const base = new ToolRegistry([listPages])
    expect(base.boundTo(echo()).getAll()).toEqual(base.getAll())
  })
})

describe('executeTool', () => {
  it('takes arguments to the caller as they are, objects and JSON texts alike', async () => {
    const calls: RegistryCall[] = []
    const registry = new ToolRegistry([listPages], echo(calls))
    expect(await registry.executeTool('list_pages', { limit: 3 })).toBe('{"success":true,"echo":{"limit":3}}')
    await registry.executeTool('list_pages', '{"limit":', { idempotencyKey: 'k' })
    expect(calls).toEqual([
      { name: 'list_pages', input: { limit: 3 } },
      { name: 'list_pages', input: '{"limit":', idempotencyKey: 'k' },
    ])
  })

  it('answers an unknown name with the nearest ones, and calls nothing', async () => {
    const calls: RegistryCall[] = []
    const registry = new ToolRegistry([listPages, deletePage], echo(calls))
    expect(JSON.parse(await registry.executeTool('pages_list', {}))).toEqual({
      success: false,
      code: 'UNKNOWN_TOOL',
      error: 'There is no tool `pages_list`.',
      next: 'Nearest names: list_pages, delete_page.',
      details: { nearest: ['list_pages', 'delete_page'] },
    })
    expect(calls).toEqual([])
  })

  it('refuses everything without a gate, and says how to get one', async () => {
    const text = await new ToolRegistry([deletePage]).executeTool('delete_page', { pageId: 'p' })
    expect(JSON.parse(text)).toMatchObject({
      success: false,
      code: 'FORBIDDEN',
      next: expect.stringContaining('gate.registry(principal)'),
    })
  })

  it.each([
    ['a caller that rejects', () => Promise.reject(new Error('secret of the database'))],
    ['an outcome that is no JSON', () => Promise.resolve({ forModel: { big: 1n } })],
  ])('gives JSON for %s, without its cause', async (_, call) => {
    const caller = { ...echo(), call: call as never } // a caller that breaks its contract
    const text = await new ToolRegistry([listPages], caller).executeTool('list_pages', {})
    expect(JSON.parse(text)).toMatchObject({ success: false, code: 'INTERNAL' })
    expect(text).not.toContain('secret')
  })

  it('gives the result where there is nothing for the model', async () => {
    const caller = { ...echo(), call: async () => ({ forModel: undefined, result: { success: true } }) as never } // as above
    expect(await new ToolRegistry([listPages], caller).executeTool('list_pages', {})).toBe('{"success":true}')
  })
})

describe('nearestNames', () => {
  const names = ['list_game_systems', 'get_game_system', 'delete_game_system', 'create_project', 'list_exports']

  it.each([
    ['delete_gamesystem', 'delete_game_system'],
    ['deleteGameSystem', 'delete_game_system'],
    ['list_game_system', 'list_game_systems'],
    ['systems', 'list_game_systems'],
    ['project_create', 'create_project'],
    ['lst_exprts', 'list_exports'],
  ])('finds for `%s` first `%s`', (name, first) => {
    expect(nearestNames(name, names)[0]).toBe(first)
  })

  it('finds nothing for a name that is like none, and is quick on a very long one', () => {
    expect(nearestNames('xyzzy', names)).toEqual([])
    expect(nearestNames('', names)).toEqual([])
    expect(nearestNames('x'.repeat(1_000_000), names)).toEqual([])
  })
})
