import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DefinitionError } from '../errors/definition-error.ts'
import { inputJsonSchemaOf } from './convert-schema.ts'
import type { JsonSchema } from './json-schema.ts'

const convert = (inputSchema: z.ZodType) => inputJsonSchemaOf({ name: 'tool', inputSchema })

/** What a converted schema may consist of: anything else, `$ref`, `oneOf` and `default` among it, fails. */
const definition: z.ZodType = z.lazy(() => z.union([z.boolean(), portable]))
const type = z.enum(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'])
const portable = z.strictObject({
  type: z.union([type, z.array(type).min(1)]).optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  examples: z.array(z.json()).optional(),
  enum: z.array(z.json()).min(1).optional(),
  const: z.json().optional(),
  multipleOf: z.number().positive().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  minLength: z.int().min(0).optional(),
  maxLength: z.int().min(0).optional(),
  pattern: z
    .string()
    .refine((source) => new RegExp(source, 'u'))
    .optional(),
  format: z.string().optional(),
  items: definition.optional(),
  minItems: z.int().min(0).optional(),
  maxItems: z.int().min(0).optional(),
  properties: z.record(z.string(), definition).optional(),
  additionalProperties: definition.optional(),
  propertyNames: definition.optional(),
  required: z.array(z.string()).min(1).optional(),
  anyOf: z.array(definition).min(1).optional(),
  allOf: z.array(definition).min(1).optional(),
  not: definition.optional(),
})

interface Node {
  name: string
  children?: Node[] | undefined
}
const node: z.ZodType<Node> = z.strictObject({
  name: z.string(),
  get children() {
    return z.array(node).optional()
  },
})

const rich = z.strictObject({
  id: z.uuid(),
  on: z.iso.date().describe('Day of the hearing'),
  code: z.string().regex(/^[A-Z]{3}$/),
  cuid: z.cuid2().optional(),
  pages: z.array(z.strictObject({ slug: z.string(), order: z.int().optional() })).min(1),
  point: z.tuple([z.number(), z.number(), z.string()]),
  labels: z.record(z.string(), z.string()),
  byState: z.partialRecord(z.enum(['open', 'closed']), z.number()),
  owner: z.strictObject({ email: z.email() }).meta({ id: 'Owner', title: 'Owner', widget: 'person' }),
  backup: z.strictObject({ email: z.email() }).nullable(),
  block: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('text'), text: z.string() }),
    z.strictObject({ kind: z.literal('image'), url: z.url() }),
  ]),
  anything: z.json(),
  tree: node,
})

describe('inputJsonSchemaOf', () => {
  it('gives the plain case without noise', () => {
    const schema = z.strictObject({
      name: z.string().min(1).describe('Name of the page'),
      limit: z.int().min(1).max(50).default(20).describe('How many'),
      status: z.enum(['draft', 'live']).default('draft'),
      count: z.int(),
    })
    expect(convert(schema)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, description: 'Name of the page' },
        limit: { type: 'integer', minimum: 1, maximum: 50, description: 'How many (default: 20)' },
        status: { type: 'string', enum: ['draft', 'live'], description: 'Default: "draft"' },
        count: { type: 'integer' },
      },
      required: ['name', 'count'],
      additionalProperties: false,
    })
  })

  it('uses nothing but keywords that every provider takes', () => {
    expect(portable.safeParse(convert(rich)).error?.issues).toBeUndefined()
    expect(JSON.stringify(convert(rich))).not.toMatch(
      /"\$ref"|"\$defs"|"oneOf"|"default"|"prefixItems"|"widget"|"\$schema"/,
    )
  })

  it('converts a schema once and gives a frozen result', () => {
    const schema = z.strictObject({ name: z.string() })
    expect(convert(schema)).toBe(convert(schema))
    expect(Object.isFrozen(convert(schema).properties)).toBe(true)
  })

  it("keeps the format and leaves zod's long pattern out, and keeps a pattern that is the tool's own", () => {
    expect(convert(rich).properties).toMatchObject({
      id: { type: 'string', format: 'uuid' },
      code: { type: 'string', pattern: '^[A-Z]{3}$' },
      cuid: { type: 'string', pattern: '^[0-9a-z]+$' },
    })
    expect(convert(rich).properties.id).not.toHaveProperty('pattern')
    expect(convert(rich).properties.cuid).not.toHaveProperty('format')
  })

  it('makes a tuple an array of its items, as long as the tuple', () => {
    expect(convert(rich).properties.point).toEqual({
      type: 'array',
      items: { anyOf: [{ type: 'number' }, { type: 'string' }] },
      minItems: 3,
      maxItems: 3,
    })
  })

  it('writes a recursive shape out twice and then hints at it', () => {
    expect(convert(z.strictObject({ tree: node })).properties.tree).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string' },
        children: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              children: {
                type: 'array',
                items: { type: 'object', description: 'The same shape again, nested further' },
              },
            },
            required: ['name'],
            additionalProperties: false,
          },
        },
      },
      required: ['name'],
      additionalProperties: false,
    })
  })

  it('makes a union at the root one object that says which arguments belong together', () => {
    const schema = z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('link'), url: z.url() }),
      z.strictObject({ kind: z.literal('note'), text: z.string(), url: z.string().optional() }),
    ])
    expect(convert(schema)).toEqual({
      type: 'object',
      description: 'Give one of: { kind: "link", url }, or { kind: "note", text }',
      properties: {
        kind: { type: 'string', enum: ['link', 'note'] },
        url: { anyOf: [{ type: 'string', format: 'uri' }, { type: 'string' }] },
        text: { type: 'string' },
      },
      required: ['kind'],
      additionalProperties: false,
    })
  })

  it('merges an intersection with a union into one object', () => {
    const schema = z.object({ a: z.string() }).and(z.union([z.object({ b: z.string() }), z.object({ c: z.string() })]))
    expect(convert(schema)).toMatchObject({ type: 'object', required: ['a'] })
    expect(Object.keys(convert(schema).properties)).toEqual(['a', 'b', 'c'])
  })

  it('says no to unknown arguments where the gate refuses them, and yes where the tool takes any', () => {
    expect(convert(z.object({ a: z.string() })).additionalProperties).toBe(false)
    expect(convert(z.looseObject({ a: z.string() })).additionalProperties).toEqual({})
  })

  it.each([
    ['a text', z.string(), 'the input schema must be an object'],
    ['a union with a text', z.union([z.strictObject({}), z.string()]), 'the input schema must be an object'],
    ['a date', z.strictObject({ on: z.date() }), 'Date cannot be represented'],
    ['a name with a space', z.strictObject({ 'due date': z.string() }), 'the argument `due date` must be named'],
    ['a name with an umlaut', z.strictObject({ straße: z.string() }), 'the argument `straße` must be named'],
  ])('refuses %s', (_, schema, message) => {
    expect(() => convert(schema)).toThrow(DefinitionError)
    expect(() => convert(schema)).toThrow(message)
  })

  it('accepts and refuses what the zod schema does, where JSON Schema can say it', () => {
    const zod = z.strictObject({
      name: z.string().min(2).max(5),
      count: z.int().min(0).max(9).optional(),
      kind: z.enum(['a', 'b']).default('a'),
      tags: z.array(z.string().max(2)).max(3),
      either: z.union([z.number(), z.boolean(), z.null()]),
      nested: z.strictObject({ on: z.boolean() }).nullable(),
      block: z.discriminatedUnion('k', [
        z.strictObject({ k: z.literal('x') }),
        z.strictObject({ k: z.literal('y'), v: z.number() }),
      ]),
    })
    const back = z.fromJSONSchema(convert(zod) as z.core.JSONSchema.JSONSchema) // our type has fewer keywords
    const loose = fc.record(
      {
        name: fc.oneof(fc.string({ maxLength: 7 }), fc.integer()),
        count: fc.oneof(
          fc.integer({ min: -3, max: 12 }),
          fc.double({ min: 0, max: 9, noNaN: true }),
          fc.constant(null),
        ),
        kind: fc.constantFrom('a', 'b', 'c', 1),
        tags: fc.oneof(fc.array(fc.string({ maxLength: 3 }), { maxLength: 4 }), fc.string()),
        either: fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string()),
        nested: fc.oneof(
          fc.constant(null),
          fc.record({ on: fc.oneof(fc.boolean(), fc.integer()) }),
          fc.constant({ on: true, off: 1 }),
        ),
        block: fc.constantFrom<unknown[]>({ k: 'x' }, { k: 'y' }, { k: 'y', v: 1 }, { k: 'x', v: 1 }, { k: 'z' }, 'x'),
        more: fc.integer(),
      },
      { requiredKeys: [] },
    )
    const right = fc.record(
      {
        name: fc.string({ minLength: 2, maxLength: 5 }),
        count: fc.integer({ min: 0, max: 9 }),
        tags: fc.array(fc.string({ maxLength: 2 }), { maxLength: 3 }),
        either: fc.oneof(fc.integer(), fc.boolean(), fc.constant(null)),
        nested: fc.oneof(fc.constant(null), fc.record({ on: fc.boolean() })),
        block: fc.constantFrom<unknown[]>({ k: 'x' }, { k: 'y', v: 1 }),
      },
      { requiredKeys: ['name', 'tags', 'either', 'nested', 'block'] },
    )
    let accepted = 0
    fc.assert(
      fc.property(
        fc.oneof(
          right,
          loose,
          fc.tuple(right, loose).map(([a, b]) => ({ ...a, ...b })),
        ),
        (input) => {
          const expected = zod.safeParse(input).success
          if (expected) accepted++
          expect(back.safeParse(input).success).toBe(expected)
        },
      ),
      { numRuns: 500 },
    )
    expect(accepted).toBeGreaterThan(50)
  })

  it('never refuses what the zod schema accepts, where JSON Schema cannot say all of it', () => {
    const zod = z.strictObject({
      point: z.tuple([z.number(), z.string()]),
      even: z.int().refine((value) => value % 2 === 0),
      tree: node,
      trimmed: z.string().transform((text) => text.trim()),
    })
    const back = z.fromJSONSchema(convert(zod) as z.core.JSONSchema.JSONSchema) // our type has fewer keywords
    const { tree } = fc.letrec<{ tree: Node }>((tie) => ({
      tree: fc.record({
        name: fc.string(),
        children: fc.array(tie('tree'), { maxLength: 2, depthIdentifier: 'tree' }),
      }),
    }))
    const input = fc.record({
      point: fc.tuple(fc.integer(), fc.string()),
      even: fc.integer({ min: -1e6, max: 1e6 }).map((value) => value * 2),
      tree,
      trimmed: fc.string(),
    })
    fc.assert(
      fc.property(input, (value) => {
        expect(zod.safeParse(value).success).toBe(true)
        expect(back.safeParse(value).success).toBe(true)
      }),
    )
  })

  it('keeps a property that is named like a part of the language', () => {
    const schema: JsonSchema = convert(z.strictObject({ default: z.string(), id: z.string(), constructor: z.string() }))
    expect(Object.keys(schema.properties ?? {})).toEqual(['default', 'id', 'constructor'])
  })
})
