import { z } from 'zod'
import { DefinitionError } from '../errors/definition-error.ts'
import type { ObjectSchema } from './json-schema.ts'
import { toObjectSchema } from './object-schema.ts'
import { type SchemaDocument, toPortableSchema } from './portable-schema.ts'
import type { Tool } from './tool.ts'

/** Anthropic's rule for the names of arguments, the strictest of the providers'. */
const argumentNamePattern = /^[a-zA-Z0-9_.-]{1,64}$/

// Converting is dear (performance: a loop that converts on each model call spends most of its time on it), so each
// schema is converted once; keyed by the schema, a copied tool shares the conversion.
const converted = new WeakMap<z.ZodType, ObjectSchema>()

/**
 * The JSON Schema of a tool's arguments as a model may write them, converted once and frozen. It holds to what all
 * providers take: an object at the root without unions, no references, no `default`.
 *
 * It may accept more than the zod schema does (refinements, tuples, the depths of a recursive shape), never less: the
 * gate parses with the zod schema.
 *
 * @throws DefinitionError when the schema has no such form.
 */
export function inputJsonSchemaOf(tool: Pick<Tool, 'name' | 'inputSchema'>): ObjectSchema {
  const known = converted.get(tool.inputSchema)
  if (known !== undefined) return known
  const schema = convert(tool)
  const problems = argumentNameProblems(schema)
  if (problems.length > 0) throw new DefinitionError(`tool \`${tool.name}\``, problems)
  converted.set(tool.inputSchema, freeze(schema))
  return schema
}

function convert(tool: Pick<Tool, 'name' | 'inputSchema'>): ObjectSchema {
  let document: SchemaDocument
  try {
    document = z.toJSONSchema(tool.inputSchema, { io: 'input' }) as SchemaDocument // the same document, with fewer keywords in its type
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new DefinitionError(`tool \`${tool.name}\``, [`the input schema cannot be told to a model: ${why}`])
  }
  const schema = toObjectSchema(toPortableSchema(document))
  if (schema === undefined) {
    throw new DefinitionError(`tool \`${tool.name}\``, ['the input schema must be an object, or a union of objects'])
  }
  return schema
}

function argumentNameProblems(schema: ObjectSchema): string[] {
  return Object.keys(schema.properties)
    .filter((name) => !argumentNamePattern.test(name))
    .map((name) => `the argument \`${name}\` must be named with 1 to 64 letters, digits, \`_\`, \`.\` or \`-\``)
}

function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) freeze(part)
  }
  return value
}
