import type { JsonSchemaDefinition } from '../../tool/json-schema.ts'
import { readLiteral } from '../json/read-literal.ts'

/**
 * The value of a parameter that was written as plain text between tags. Text stays text wherever the schema takes
 * text; elsewhere it is read as JSON or Python.
 */
export function fitText(text: string, schema: JsonSchemaDefinition | undefined): unknown {
  if (takesText(schema)) return text
  const trimmed = text.trim()
  const value = parse(trimmed) ?? parse(unescaped(trimmed))
  return value === undefined ? text : value.value
}

function parse(text: string | undefined): { value: unknown } | undefined {
  if (text === undefined) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    const read = readLiteral(text, 0)
    return read !== undefined && !read.unclosed && read.end === text.length ? { value: read.value } : undefined
  }
}

/** `[{\"id\": 1}]`: JSON that was escaped once too often. */
function unescaped(text: string): string | undefined {
  if (!/^[[{]\s*[[{]*\s*\\"/.test(text)) return undefined
  try {
    const inner: unknown = JSON.parse(`"${text.replaceAll('\n', '\\n')}"`)
    return typeof inner === 'string' ? inner : undefined
  } catch {
    return undefined
  }
}

function takesText(schema: JsonSchemaDefinition | undefined): boolean {
  if (schema === undefined || typeof schema === 'boolean') return false
  if (schema.type !== undefined) return (Array.isArray(schema.type) ? schema.type : [schema.type]).includes('string')
  if (schema.enum !== undefined) return schema.enum.some((choice) => typeof choice === 'string')
  return schema.anyOf?.some(takesText) ?? false
}
