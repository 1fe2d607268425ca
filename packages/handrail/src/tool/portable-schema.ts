import type { JsonSchema, JsonSchemaDefinition } from './json-schema.ts'

/** How often a shape is written out inside itself before it is only hinted at. */
const recursionDepth = 1
/** A default that is longer tells a model nothing. */
const longestDefault = 100

/** Formats that JSON Schema defines. zod's own pattern for them is long, and some servers cannot compile it. */
const standardFormats = new Set([
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uuid',
])

const plainKeywords = [
  'type',
  'title',
  'description',
  'examples',
  'enum',
  'const',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const

/** A schema as zod writes it: with all that is rewritten here. */
export interface SchemaDocument extends Pick<JsonSchema, (typeof plainKeywords)[number]> {
  $ref?: string
  $defs?: Record<string, DocumentDefinition>
  default?: unknown
  properties?: Record<string, DocumentDefinition>
  required?: string[]
  patternProperties?: Record<string, DocumentDefinition>
  additionalProperties?: DocumentDefinition
  propertyNames?: DocumentDefinition
  items?: DocumentDefinition
  prefixItems?: DocumentDefinition[]
  anyOf?: DocumentDefinition[]
  oneOf?: DocumentDefinition[]
  allOf?: DocumentDefinition[]
  not?: DocumentDefinition
}

type DocumentDefinition = SchemaDocument | boolean

/**
 * Rewrites a JSON Schema (draft 2020-12, as zod writes it) into the part of the language that every provider takes:
 * references are written out, `oneOf` becomes `anyOf`, tuples become bounded arrays, a default becomes a sentence, and
 * keywords outside a short list are left out. The result accepts all that the given schema accepts.
 */
export function toPortableSchema(root: SchemaDocument): JsonSchema {
  return rewrite(root, { root, open: new Map([['#', 1]]) })
}

interface Context {
  readonly root: SchemaDocument
  /** References being written out, with how often. */
  readonly open: ReadonlyMap<string, number>
}

function rewriteDefinition(definition: DocumentDefinition, context: Context): JsonSchemaDefinition {
  return typeof definition === 'boolean' ? definition : rewrite(definition, context)
}

function rewrite(schema: SchemaDocument, context: Context): JsonSchema {
  if (schema.$ref !== undefined) return writeOut(schema.$ref, schema, context)
  const portable: JsonSchema = {}
  for (const keyword of plainKeywords) {
    if (schema[keyword] !== undefined) Object.assign(portable, { [keyword]: schema[keyword] })
  }
  const inner = (definition: DocumentDefinition) => rewriteDefinition(definition, context)
  if (schema.properties) portable.properties = mapValues(schema.properties, inner)
  if (schema.required) portable.required = schema.required
  if (schema.patternProperties) portable.patternProperties = mapValues(schema.patternProperties, inner)
  if (schema.additionalProperties !== undefined) portable.additionalProperties = inner(schema.additionalProperties)
  if (schema.propertyNames !== undefined && !isAnyString(schema.propertyNames)) {
    portable.propertyNames = inner(schema.propertyNames)
  }
  const items = itemsOf(schema)
  if (items !== undefined) portable.items = inner(items)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) portable.anyOf = alternatives.map(inner)
  if (schema.allOf) portable.allOf = schema.allOf.map(inner)
  if (schema.not !== undefined) portable.not = inner(schema.not)
  simplifyFormat(portable)
  dropSafeIntegerBounds(portable)
  describeDefault(portable, schema.default)
  return portable
}

function writeOut(reference: string, siblings: SchemaDocument, context: Context): JsonSchema {
  const target = resolve(reference, context.root)
  const times = context.open.get(reference) ?? 0
  const { $ref: _, ...own } = siblings
  if (times > recursionDepth) {
    const hint: JsonSchema = { description: 'The same shape again, nested further' }
    return target.type === undefined ? hint : { type: target.type, ...hint }
  }
  return rewrite({ ...target, ...own }, { ...context, open: new Map(context.open).set(reference, times + 1) })
}

/** zod points to the root (`#`) or to a definition (`#/$defs/<name>`) of the same document. */
function resolve(reference: string, root: SchemaDocument): SchemaDocument {
  if (reference === '#') return root
  const name = reference.replace('#/$defs/', '').replaceAll('~1', '/').replaceAll('~0', '~')
  const target = root.$defs?.[name]
  if (target === undefined) throw new Error(`the schema refers to ${reference}, which it does not hold`)
  return typeof target === 'boolean' ? {} : target
}

function itemsOf(schema: SchemaDocument): DocumentDefinition | undefined {
  const rest = schema.items
  if (!schema.prefixItems) return rest
  const all = [...schema.prefixItems, ...(rest === undefined || rest === false ? [] : [rest])]
  const [first, ...others] = [...new Map(all.map((item) => [JSON.stringify(item), item])).values()]
  return first === undefined || others.length === 0 ? first : { anyOf: [first, ...others] }
}

function isAnyString(definition: DocumentDefinition): boolean {
  return JSON.stringify(definition) === '{"type":"string"}'
}

function simplifyFormat(schema: JsonSchema): void {
  if (schema.format === undefined) return
  if (standardFormats.has(schema.format)) delete schema.pattern
  else delete schema.format
}

/** zod bounds every integer to what a double holds exactly; in each tool that is noise. */
function dropSafeIntegerBounds(schema: JsonSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

function describeDefault(schema: JsonSchema, value: unknown): void {
  const text = value === undefined ? undefined : JSON.stringify(value)
  if (text === undefined || text.length > longestDefault) return
  schema.description =
    schema.description === undefined ? `Default: ${text}` : `${schema.description} (default: ${text})`
}

function mapValues(
  record: Record<string, DocumentDefinition>,
  change: (definition: DocumentDefinition) => JsonSchemaDefinition,
): Record<string, JsonSchemaDefinition> {
  // From entries, so that a key `__proto__` becomes a property.
  return Object.fromEntries(Object.entries(record).map(([name, definition]) => [name, change(definition)]))
}
