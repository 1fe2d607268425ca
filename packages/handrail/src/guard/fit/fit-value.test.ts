import { describe, expect, it } from 'vitest'
import type { JsonSchemaDefinition } from '../../tool/json-schema.ts'
import { fitValue } from './fit-value.ts'

const rules = { declaredOnly: false, partial: true, leaveObjects: false }

function fitted(value: unknown, schema: JsonSchemaDefinition): unknown {
  const fit = fitValue(value, schema, rules)
  return fit === undefined ? 'no fit' : fit.value
}

function property(schema: JsonSchemaDefinition): JsonSchemaDefinition {
  return { type: 'object', properties: { it: schema } }
}

describe('fitValue', () => {
  it.each<[unknown, JsonSchemaDefinition, unknown]>([
    ['3', { type: 'integer' }, 3],
    [' -3.5 ', { type: 'number' }, -3.5],
    ['True', { type: 'boolean' }, true],
    [3, { type: 'string' }, '3'],
    ['["a"]', { type: 'array', items: { type: 'string' } }, ['a']],
    ["{'a': 1}", { type: 'object' }, { a: 1 }],
    ['Celsius', { enum: ['celsius', 'fahrenheit'] }, 'celsius'],
    [['1', 2], { type: 'array', items: { type: 'integer' } }, [1, 2]],
    ['3', { type: ['string', 'integer'] }, '3'],
    ['3', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 3],
  ])('makes %j fit %j', (value, schema, expected) => {
    expect(fitted({ it: value }, property(schema))).toEqual({ it: expected })
  })

  it.each<[unknown, JsonSchemaDefinition]>([
    ['three', { type: 'integer' }],
    ['3.5', { type: 'integer' }],
    ['1e999', { type: 'number' }],
    ['yes', { type: 'boolean' }],
    ['a', { enum: ['b', 'c'] }],
    [['a'], { type: 'object' }],
    ['3', { anyOf: [{ type: 'integer' }, { type: 'boolean' }, { type: 'number' }] }],
  ])('does not guess what %j is for %j', (value, schema) => {
    expect(fitted({ it: value }, { type: 'object', properties: { it: schema }, required: ['it'] })).toBe('no fit')
  })

  it('leaves out what a closed object does not declare, and keeps it in an open one', () => {
    const properties = { a: { type: 'string' } } as const
    expect(fitted({ a: 'x', b: 1 }, { type: 'object', properties, additionalProperties: false })).toEqual({ a: 'x' })
    expect(fitted({ a: 'x', b: 1 }, { type: 'object', properties })).toEqual({ a: 'x', b: 1 })
  })

  it('knows a property by another spelling when it is the only one like it', () => {
    const schema: JsonSchemaDefinition = { type: 'object', properties: { targetLanguage: { type: 'string' } } }
    expect(fitted({ target_language: 'fr' }, schema)).toEqual({ targetLanguage: 'fr' })
    expect(fitted({ target_language: 'fr', targetLanguage: 'de' }, schema)).toMatchObject({ targetLanguage: 'de' })
  })

  it('takes null for something optional as left out', () => {
    const schema: JsonSchemaDefinition = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['a'],
    }
    expect(fitted({ a: 'x', b: null }, schema)).toEqual({ a: 'x' })
    expect(fitted({ a: null }, schema)).toBe('no fit')
  })

  it('answers quickly for a key that makes a pattern explode', () => {
    const schema: JsonSchemaDefinition = {
      type: 'object',
      patternProperties: { '^(a+)+$': false },
      additionalProperties: true,
    }
    expect(fitted({ [`${'a'.repeat(60)}!`]: 1, note: 2 }, schema)).toEqual({ note: 2 })
  })
})
