import { setTimeout } from 'node:timers/promises'
import { definePack, defineTool, type Pack, ToolError } from 'handrail'
import { z } from 'zod'

const anything = z.strictObject({})
const examples = [] as const

/** Tools that end in every way a call can end. They keep nothing. */
export const probe: Pack = definePack({
  name: 'probe',
  title: 'Probe',
  description: 'Tools that end in every way',
  language: 'en',
  scopeSchema: z.record(z.string(), z.string()),
  roles: { owner: 'all', member: 'all', reader: { kinds: ['read'] } },
  services: { readers: () => ({}), writers: () => ({}) },
  instructions: () => '',
  tools: [
    defineTool({
      name: 'probe_echo',
      category: 'probe',
      kind: 'read',
      description: 'Gives back what it is given.',
      inputSchema: z.strictObject({ text: z.string() }),
      execute: ({ input }) => input,
      examples,
    }),
    defineTool({
      name: 'probe_slow',
      category: 'probe',
      kind: 'read',
      description: 'Takes longer than it may.',
      inputSchema: anything,
      limits: { timeoutMs: 20 },
      execute: ({ signal }) => setTimeout(60_000, undefined, { signal }),
      examples,
    }),
    defineTool({
      name: 'probe_broken',
      category: 'probe',
      kind: 'read',
      description: 'Has a fault.',
      inputSchema: anything,
      execute: () => {
        throw new Error('connect ECONNREFUSED postgres://user:hunter2@db')
      },
      examples,
    }),
    defineTool({
      name: 'probe_fails',
      category: 'probe',
      kind: 'read',
      description: 'Fails as it is told.',
      inputSchema: z.strictObject({ code: z.enum(['NOT_FOUND', 'CONFLICT', 'UNAVAILABLE', 'FORBIDDEN']) }),
      execute: ({ input }) => {
        throw new ToolError(input.code, 'told to')
      },
      examples,
    }),
    defineTool({
      name: 'probe_rarely',
      category: 'probe',
      kind: 'read',
      description: 'May be called once an hour.',
      inputSchema: anything,
      limits: { perHour: 1 },
      execute: () => ({ fine: true }),
      examples,
    }),
    defineTool({
      name: 'probe_uncertain',
      category: 'probe',
      kind: 'action',
      description: 'Acts outside, and nobody knows whether it worked.',
      inputSchema: anything,
      approval: 'never',
      execute: () => {
        throw new Error('socket hang up')
      },
      examples,
    }),
    defineTool({
      name: 'probe_act',
      category: 'probe',
      kind: 'action',
      effect: 'transaction',
      description: 'Acts, when a person says so.',
      inputSchema: z.strictObject({ note: z.string().default('') }),
      execute: ({ input }) => ({ acted: input.note }),
      examples,
    }),
  ],
})
