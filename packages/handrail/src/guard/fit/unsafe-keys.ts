import type { JsonSchemaDefinition } from '../../tool/json-schema.ts'

const suspect = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Whether arguments hold a key that reaches an object's prototype when code copies them carelessly. `constructor` and
 * `prototype` are words too: they pass where the tool's schema declares them.
 */
export function hasUnsafeKeys(value: unknown, schema: JsonSchemaDefinition | undefined, depth = 0): boolean {
  if (typeof value === 'string') return /^\s*[[{]/.test(value) && hasUnsafeKeysInText(value, schema, depth)
  if (typeof value !== 'object' || value === null) return false
  if (depth > 200) return true
  if (Array.isArray(value)) return value.some((item) => hasUnsafeKeys(item, itemsOf(schema), depth + 1))
  return Object.entries(value).some(([key, item]) => {
    const name = key.includes('\\u') ? decoded(key) : key
    const property = propertyOf(schema, key)
    if (suspect.has(name) && (property === undefined || name === '__proto__')) return true
    return typeof item === 'object' && hasUnsafeKeys(item, property, depth + 1)
  })
}

/** Arguments as a text that is JSON once more. */
function hasUnsafeKeysInText(text: string, schema: JsonSchemaDefinition | undefined, depth: number): boolean {
  if (depth > 0 || !/__proto__|constructor|prototype|\\/.test(text)) return false
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && hasUnsafeKeys(value, schema, depth + 1)
  } catch {
    return false
  }
}

function decoded(key: string): string {
  return key.replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function propertyOf(schema: JsonSchemaDefinition | undefined, key: string): JsonSchemaDefinition | undefined {
  const properties = typeof schema === 'object' ? schema.properties : undefined
  return properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined
}

function itemsOf(schema: JsonSchemaDefinition | undefined): JsonSchemaDefinition | undefined {
  const items: unknown = typeof schema === 'object' ? schema.items : undefined
  return typeof items === 'object' && items !== null && !Array.isArray(items) ? items : undefined
}
