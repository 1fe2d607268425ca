import type { JsonSchema, JsonSchemaDefinition, JsonType } from '../../tool/json-schema.ts'
import { readLiteral } from '../json/read-literal.ts'
import { matchesPattern } from './matches-pattern.ts'

/** Nothing when the value does not fit and no single change makes it fit. */
export type Fitted = { value: unknown; changed: boolean } | undefined

/** Schemas from other libraries carry more than the part we write ourselves. */
type AnySchema = JsonSchema & { oneOf?: JsonSchemaDefinition[]; prefixItems?: JsonSchemaDefinition[]; $ref?: string }

export interface FitRules {
  /** Drop what the schema does not declare: the arguments were guessed at, and these may be pieces of a string. */
  declaredOnly: boolean
  /** Missing required arguments are left for the gate to tell the model about. */
  partial: boolean
  /** An object where only text is asked for stays as it is: the gate tells the model better than we could guess. */
  leaveObjects: boolean
}

/**
 * Fits a value to a JSON Schema, changing it only where there is one way to: `"3"` for a number is 3, `"true"` for a
 * boolean is true, 3 for a string is "3", text that is JSON for an object is that object, `target_language` for the
 * only missing `targetLanguage` is that, an undeclared property of a closed object goes. Formats, lengths and ranges
 * are left to the gate, which can tell the model what is wrong with them.
 */
export function fitValue(value: unknown, schema: JsonSchemaDefinition | undefined, rules: FitRules): Fitted {
  if (schema === undefined || schema === true) return { value, changed: false }
  if (schema === false) return undefined
  const given: AnySchema = schema
  if (given.$ref !== undefined) return { value, changed: false }
  let fitted = fitType(value, given, rules)
  for (const part of given.allOf ?? []) fitted = and(fitted, part, rules)
  const branches = given.oneOf ?? given.anyOf
  if (fitted !== undefined && branches !== undefined) {
    const branch = fitBranch(fitted.value, branches, rules, given.oneOf !== undefined)
    fitted = branch === undefined ? undefined : { value: branch.value, changed: fitted.changed || branch.changed }
  }
  return fitted
}

function and(fitted: Fitted, schema: JsonSchemaDefinition, rules: FitRules): Fitted {
  if (fitted === undefined) return undefined
  const next = fitValue(fitted.value, schema, rules)
  return next === undefined ? undefined : { value: next.value, changed: fitted.changed || next.changed }
}

function fitBranch(value: unknown, branches: readonly JsonSchemaDefinition[], rules: FitRules, one: boolean): Fitted {
  const whole: FitRules = { ...rules, partial: false, leaveObjects: false }
  const fits = branches.map((branch) => fitValue(value, branch, whole)).filter((fit) => fit !== undefined)
  const untouched = fits.filter((fit) => !fit.changed)
  if (untouched.length > 0) return one && untouched.length > 1 ? undefined : untouched[0]
  if (fits.length === 1) return fits[0]
  if (fits.length > 1) return undefined
  const leave = rules.leaveObjects && typeof value === 'object' && value !== null && branches.some(asksForText)
  return leave ? { value, changed: false } : undefined
}

function asksForText(schema: JsonSchemaDefinition): boolean {
  return typeof schema === 'object' && typesOf(schema).includes('string')
}

function fitType(value: unknown, schema: AnySchema, rules: FitRules): Fitted {
  const types = typesOf(schema)
  const actual = typeOf(value)
  if (types.length === 0 || types.includes(actual) || (actual === 'integer' && types.includes('number'))) {
    if (actual === 'object') return fitObject(value, schema, rules)
    if (actual === 'array') return fitArray(value, schema, rules)
    return fitChoice(value, schema)
  }
  const converted = types.map((type) => convert(value, type)).filter((conversion) => conversion !== undefined)
  const only = converted.length === 1 ? converted[0] : undefined
  if (only !== undefined) {
    const inner = fitType(only.value, schema, rules)
    return inner === undefined ? undefined : { value: inner.value, changed: true }
  }
  const leave = rules.leaveObjects && (actual === 'object' || actual === 'array') && types.includes('string')
  return leave ? { value, changed: false } : undefined
}

/** `enum` and `const`; a choice in other letters (`Celsius` for `celsius`) is that choice when only one is like it. */
function fitChoice(value: unknown, schema: AnySchema): Fitted {
  const choices = schema.const !== undefined ? [schema.const] : schema.enum
  if (choices === undefined || choices.includes(value)) return { value, changed: false }
  const alike = choices.filter((choice) => String(choice).toLowerCase() === String(value).trim().toLowerCase())
  return alike.length === 1 ? { value: alike[0], changed: true } : undefined
}

function fitArray(value: unknown, schema: AnySchema, rules: FitRules): Fitted {
  if (!Array.isArray(value)) return undefined
  // Draft-07 tuples: a list of schemas under `items`.
  const listed: unknown = schema.items
  const tuple: readonly JsonSchemaDefinition[] = schema.prefixItems ?? (Array.isArray(listed) ? listed : [])
  const rest = Array.isArray(listed) ? undefined : schema.items
  let changed = false
  const items: unknown[] = []
  for (const [index, item] of value.entries()) {
    const fitted = fitValue(item, tuple[index] ?? rest, rules)
    if (fitted === undefined) return undefined
    changed ||= fitted.changed
    items.push(fitted.value)
  }
  return { value: items, changed }
}

function fitObject(value: unknown, schema: AnySchema, rules: FitRules): Fitted {
  const declared = schema.properties ?? {}
  const given = Object.entries(value ?? {})
  const names = new Set(given.map(([name]) => name))
  const result: [string, unknown][] = []
  let changed = false
  for (const [written, item] of given) {
    const name = declaredName(written, declared, names)
    const property = propertySchema(name, schema, rules)
    if (property === 'drop') {
      changed = true
      continue
    }
    const fitted = fitValue(item, property, rules)
    if (fitted === undefined) {
      // `null` for what may be left out means: left out.
      if (item !== null || schema.required?.includes(name)) return undefined
      changed = true
      continue
    }
    changed ||= fitted.changed || name !== written
    result.push([name, fitted.value])
  }
  const present = new Set(result.map(([name]) => name))
  if (!rules.partial && schema.required?.some((name) => !present.has(name))) return undefined
  return { value: Object.fromEntries(result), changed }
}

/** `target_language` where `targetLanguage` is declared and not given. */
function declaredName(written: string, declared: Record<string, unknown>, given: ReadonlySet<string>): string {
  if (Object.hasOwn(declared, written)) return written
  const plain = plainName(written)
  const alike = Object.keys(declared).filter((name) => plainName(name) === plain && !given.has(name))
  return alike.length === 1 ? (alike[0] ?? written) : written
}

function plainName(name: string): string {
  return name.replace(/[-_\s]/g, '').toLowerCase()
}

function propertySchema(name: string, schema: AnySchema, rules: FitRules): JsonSchemaDefinition | 'drop' {
  const declared = schema.properties
  if (declared !== undefined && Object.hasOwn(declared, name))
    return declared[name] === false ? 'drop' : (declared[name] ?? true)
  const patterns = Object.entries(schema.patternProperties ?? {})
  const additional = schema.additionalProperties
  for (const [pattern, property] of patterns) {
    if (!matchesPattern(name, pattern)) continue
    if (property === false) return 'drop'
    return additional === true ? true : property
  }
  if (additional !== undefined) return additional === false ? 'drop' : additional
  const closed = declared === undefined ? patterns.length > 0 : Object.keys(declared).length === 0
  return closed || (rules.declaredOnly && declared !== undefined) ? 'drop' : true
}

function typesOf(schema: JsonSchema): readonly JsonType[] {
  const type = schema.type === undefined ? [] : Array.isArray(schema.type) ? schema.type : [schema.type]
  return type.filter((name) => known.has(name))
}

const known = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'])

function typeOf(value: unknown): JsonType {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'string' : 'object'
}

function convert(value: unknown, type: JsonType): { value: unknown } | undefined {
  if (type === 'string')
    return typeof value === 'number' || typeof value === 'boolean' ? { value: String(value) } : undefined
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (type === 'number' || type === 'integer') {
    if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return undefined
    const number = Number(text)
    const fits = type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number)
    return fits ? { value: number } : undefined
  }
  if (type === 'boolean') {
    const word = text.toLowerCase()
    return word === 'true' || word === 'false' ? { value: word === 'true' } : undefined
  }
  if (type === 'null') return text === 'null' || text === 'None' ? { value: null } : undefined
  const read = /^[[{]/.test(text) ? readLiteral(text, 0) : undefined
  if (read === undefined || read.unclosed || read.end !== text.length) return undefined
  return typeOf(read.value) === type ? { value: read.value } : undefined
}
