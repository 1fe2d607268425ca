import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ForbiddenError } from '../errors/forbidden-error.ts'
import { NotFoundError } from '../errors/not-found-error.ts'
import { completePack } from '../pack/pack.ts'
import type { Policy } from '../pack/policy.ts'
import { createMemoryStore } from '../store/memory-store.ts'
import { createGate } from './gate.ts'
import { codeOf, gateBench, probe } from './testing/gate-bench.ts'

describe('resolve', () => {
  it('carries out a tool by its name', async () => {
    const tool = probe()
    const { call, events } = gateBench([tool])
    const { record, result } = await call({ text: 'a' })
    expect(result).toMatchObject({ success: true, data: { ok: true } })
    expect(record).toMatchObject({ status: 'done', toolName: 'probe', pack: 'app', door: 'test' })
    expect(await events(record.callId)).toEqual(['started', 'ended'])
  })

  it('refuses an unknown name with the nearest ones, and records it', async () => {
    const { gate, as, events } = gateBench([probe()])
    const { record, result } = await gate.call({ name: 'prob', input: {}, principal: as('alice') })
    expect(result).toMatchObject({ code: 'UNKNOWN_TOOL', details: { nearest: ['probe'] } })
    expect(await events(record.callId)).toEqual(['ended'])
  })

  it('keeps a hostile name out of the record', async () => {
    const { gate, as } = gateBench([probe()])
    const { record } = await gate.call({ name: `a\u0000\n${'b'.repeat(9_000)}`, input: {}, principal: as('alice') })
    expect(record.toolName.length).toBeLessThanOrEqual(64)
    expect(record.toolName).toMatch(/^[\w.?-]+$/)
  })

  it('asks which pack is meant where two have the name, and takes the one that is named', async () => {
    const pack = (name: string) =>
      completePack({
        name,
        title: name,
        description: '',
        language: 'en',
        tools: [probe({ execute: () => ({ from: name }) })],
        scopeSchema: z.strictObject({}),
        roles: { owner: 'all' },
        services: { readers: () => ({}), writers: () => ({}) },
        instructions: () => '',
      })
    const gate = createGate({ packs: [pack('one'), pack('two')] })
    const { as } = gateBench([probe()])
    const request = { name: 'probe', input: { text: 'a' }, principal: as('alice') }
    expect(codeOf(await gate.call(request))).toBe('UNKNOWN_TOOL')
    const { result } = await gate.call({ ...request, pack: 'two' })
    expect(result).toMatchObject({ success: true, data: { from: 'two' } })
  })
})

describe('parse', () => {
  it.each([
    ['a wrong type', { text: 1 }, '`text`'],
    ['an unknown key', { text: 'a', more: 1 }, '"more"'],
    ['a missing field', {}, '`text`'],
    ['`__proto__`', JSON.parse('{"__proto__":{"text":"a"}}'), '__proto__'],
    ['NUL', { text: 'a\u0000' }, '`text`'],
    ['half a surrogate pair', { text: '\ud800' }, '`text`'],
    ['a megabyte', { text: 'x'.repeat(1_000_000) }, 'too large'],
    ['a megabyte of text', 'x'.repeat(1_000_000), 'too large'],
    ['text that is no JSON', '{"text":', 'JSON'],
    ['a value that JSON does not have', { text: 1n }, '`text`'],
  ])('refuses %s and names it', async (_, input, named) => {
    const tool = probe()
    const { call, store, events } = gateBench([tool])
    const { record, result } = await call(input)
    expect(result).toMatchObject({ success: false, code: 'VALIDATION', next: expect.any(String) })
    expect('error' in result && result.error).toContain(named)
    expect(tool.starts).toBe(0)
    expect(await events(record.callId)).toEqual(['ended'])
    expect((await store.calls.get('acme', record.callId))?.payload?.input).toBeNull()
  })

  it('refuses ten thousand levels without running out of stack', async () => {
    let deep: unknown = {}
    for (let level = 0; level < 10_000; level++) deep = { deep }
    const { call } = gateBench([probe()])
    expect(codeOf(await call(deep))).toBe('VALIDATION')
    expect(codeOf(await call(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`))).toBe('VALIDATION')
  })

  it('refuses an unknown key also where the schema says nothing of them, and takes it where it is meant to', async () => {
    const withSchema = (inputSchema: z.ZodType) =>
      gateBench([{ ...probe({ execute: ({ input }) => input }), inputSchema }])
    const input = { text: 'a', more: 1 }
    expect(codeOf(await withSchema(z.object({ text: z.string() })).call(input))).toBe('VALIDATION')
    expect((await withSchema(z.looseObject({ text: z.string() })).call(input)).result).toMatchObject({ data: input })
  })

  it('reads arguments that a model gave as JSON text', async () => {
    const { call } = gateBench([probe({ execute: ({ input }) => input })])
    expect((await call('{"text":"a"}')).result).toMatchObject({ data: { text: 'a' } })
  })
})

describe('authorize', () => {
  it('refuses a role that may not, and a person without a role', async () => {
    const tool = probe()
    const { call, gate, as, events } = gateBench([tool])
    const { record, result } = await call({ text: 'a' }, { by: 'carol' })
    expect(result).toMatchObject({ code: 'FORBIDDEN' })
    expect(record.status).toBe('refused')
    const stranger = { ...as('alice'), roles: ['constructor'] }
    expect(codeOf(await gate.call({ name: 'probe', input: { text: 'a' }, principal: stranger }))).toBe('FORBIDDEN')
    expect(tool.starts).toBe(0)
    expect(await events(record.callId)).toEqual(['ended'])
  })

  it("hands the pack's own rules what was parsed, and ends as they say", async () => {
    const tool = probe({ execute: ({ input }) => input })
    const pack = completePack({
      name: 'ruled',
      title: 'Ruled',
      description: '',
      language: 'en',
      tools: [tool],
      scopeSchema: z.strictObject({ room: z.string().optional() }) as never, // a scope's values are strings
      roles: { owner: 'all' },
      services: { readers: () => ({}), writers: () => ({}) },
      authorize({ input }) {
        const { text } = input as { text: string } // parsed by the tool's schema
        if (text === 'theirs') throw new NotFoundError('the thing')
        if (text === 'not yours') throw new ForbiddenError('not for you')
        if (text === 'broken') throw new Error('a rule broke')
      },
      instructions: () => '',
    })
    const { gate, as, reports } = gateBench([], { packs: [pack] })
    const call = (text: string) => gate.call({ name: 'probe', input: { text }, principal: as('alice'), scope: {} })
    expect((await call('mine')).result.success).toBe(true)
    expect(codeOf(await call('theirs'))).toBe('NOT_FOUND')
    expect(codeOf(await call('not yours'))).toBe('FORBIDDEN')
    expect(codeOf(await call('broken'))).toBe('REFUSED')
    expect(reports).toMatchObject([{ code: 'RULE_THREW' }])
    expect(tool.starts).toBe(1)
    const bad = await gate.call({ name: 'probe', input: { text: 'a' }, principal: as('alice'), scope: { x: 'y' } })
    expect(codeOf(bad)).toBe('VALIDATION')
  })
})

describe('decide', () => {
  const refusing: [string, Policy][] = [
    ['refuses', () => ({ verdict: 'refuse', reason: 'not today' })],
    [
      'throws',
      () => {
        throw new Error('policy database is away')
      },
    ],
    ['rejects', () => Promise.reject(new Error('policy database is away'))],
    ['answers nothing', () => undefined as never],
    ['answers garbage', () => ({ verdict: 'yes' }) as never],
    ['answers a bare word', () => 'allow' as never],
  ]
  it.each(refusing)('carries nothing out when the policy %s', async (_, policy) => {
    const tool = probe()
    const { call, events, reports } = gateBench([tool], { policy })
    const { record, result } = await call({ text: 'a' })
    expect(result).toMatchObject({ success: false, code: 'REFUSED' })
    expect(record.status).toBe('refused')
    expect(tool.starts).toBe(0)
    expect(await events(record.callId)).toEqual(['ended'])
    if (_ !== 'refuses') expect(reports).toMatchObject([{ code: 'POLICY_THREW' }])
  })

  it('lets a later policy see and change what an earlier one said', async () => {
    const seen: string[] = []
    const policies: Policy[] = [
      ({ byDefault }) => {
        seen.push(byDefault.verdict)
        return { verdict: 'ask', reason: 'first' }
      },
      ({ byDefault }) => {
        seen.push(byDefault.verdict)
        return { verdict: 'allow' }
      },
    ]
    const { call } = gateBench([probe({ kind: 'delete' })], { policy: policies })
    expect((await call({ text: 'a' })).result.success).toBe(true)
    expect(seen).toEqual(['ask', 'ask'])
  })

  it.each([
    ['a read', { kind: 'read' }, 'allow'],
    ['a create in our database', { kind: 'create' }, 'allow'],
    ['an update in our database', { kind: 'update' }, 'allow'],
    ['a delete', { kind: 'delete' }, 'ask'],
    ['an action', { kind: 'action' }, 'ask'],
    ['a create outside', { kind: 'create', effect: 'external' }, 'ask'],
    ['an update that carries data out', { kind: 'update', egress: true }, 'ask'],
    ['a delete that never asks', { kind: 'delete', approval: 'never' }, 'allow'],
    ['a read that always asks', { kind: 'read', approval: 'always' }, 'ask'],
  ] as const)('by default, %s: %s', async (_, nature, expected) => {
    const tool = probe(nature)
    const { call } = gateBench([tool])
    const { result } = await call({ text: 'a' })
    expect('requiresConfirmation' in result ? 'ask' : 'allow').toBe(expected)
    expect(tool.starts).toBe(expected === 'ask' ? 0 : 1)
  })

  it('asks for a read that can carry data out once text from outside came in, unless the person named the target', async () => {
    const tool = probe({ kind: 'read', egress: true })
    const { call } = gateBench([tool])
    const thread = { threadId: 't', untrusted: true, userText: 'look at example.org/prices please' }
    expect((await call({ text: 'evil.example/?q=secret' }, { thread })).record.status).toBe('awaiting_approval')
    expect((await call({ text: 'example.org/prices' }, { thread })).record.status).toBe('done')
    const clean = { ...thread, untrusted: false }
    expect((await call({ text: 'evil.example/' }, { thread: clean })).record.status).toBe('done')
  })

  it('refuses what would ask where nobody can be asked', async () => {
    const tool = probe({ kind: 'delete' })
    const { call } = gateBench([tool])
    expect(codeOf(await call({ text: 'a' }, { canAsk: false }))).toBe('REFUSED')
    expect(tool.starts).toBe(0)
  })

  it('does not start a call that was cancelled before', async () => {
    const tool = probe()
    const { call } = gateBench([tool])
    const { record } = await call({ text: 'a' }, { signal: AbortSignal.abort() })
    expect(record.status).toBe('cancelled')
    expect(tool.starts).toBe(0)
  })
})

describe('createGate', () => {
  it('lists every problem of every tool in one error', () => {
    const bad = () =>
      createGate({
        tools: [
          probe(),
          probe(),
          { ...probe(), name: 'Probe' },
          { ...probe(), name: 'other', description: 'x'.repeat(2_000) },
          { ...probe(), name: 'roles', roles: ['nobody'] },
        ],
        roles: { owner: 'all' },
        store: createMemoryStore(),
      })
    expect(bad).toThrow(/registered already[\s\S]*looks like[\s\S]*2000 characters/)
    expect(bad).toThrow(/`roles` names the role `nobody`/)
  })

  it('refuses to stand without tools, and without anyone who may call them', () => {
    expect(() => createGate({})).toThrow('neither `packs` nor `tools`')
    expect(() => createGate({ tools: [probe()] })).toThrow('nobody could call its tools')
  })

  it('binds the tools to whoever sent the request', async () => {
    const { as } = gateBench([probe()])
    const gate = createGate({
      tools: [probe({ execute: ({ principal }) => principal.userId }), probe({ name: 'look', kind: 'read' })],
      roles: { owner: 'all', reader: { kinds: ['read'] } },
      resolvePrincipal: (request: { user?: string }) => (request.user ? as(request.user) : undefined),
    })
    expect(await gate.as({})).toBeUndefined()
    const alice = await gate.as({ user: 'alice' })
    expect(JSON.parse((await alice?.executeTool('probe', { text: 'a' })) ?? '')).toMatchObject({ data: 'alice' })
    const carol = await gate.as({ user: 'carol' })
    expect(carol?.getAll().map(({ name }) => name)).toEqual(['look'])
    expect(JSON.parse((await carol?.executeTool('probe', { text: 'a' })) ?? '')).toMatchObject({ code: 'UNKNOWN_TOOL' })
  })
})
