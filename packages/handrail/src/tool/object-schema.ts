import type { JsonSchema, JsonSchemaDefinition, ObjectSchema } from './json-schema.ts'

/**
 * A schema with one object at its root: a union of objects becomes one object with the properties of all, of which
 * those that every branch requires are required. Undefined when some branch is no object.
 *
 * @example
 * toObjectSchema({ anyOf: [{ type: 'object', properties: { a }, required: ['a'] }, { type: 'object', properties: { b } }] })
 * // { type: 'object', properties: { a, b }, additionalProperties: false, description: 'Give one of: …' }
 */
export function toObjectSchema(schema: JsonSchema): ObjectSchema | undefined {
  const branches = schema.anyOf ?? schema.allOf
  if (branches === undefined) {
    if (schema.type !== 'object') return undefined
    // The gate refuses what an object schema does not name.
    return {
      ...schema,
      type: 'object',
      properties: schema.properties ?? {},
      additionalProperties: schema.additionalProperties ?? false,
    }
  }
  const objects: ObjectSchema[] = []
  for (const branch of branches) {
    if (typeof branch === 'boolean') return undefined
    const object = toObjectSchema(branch)
    if (object === undefined) return undefined
    objects.push(object)
  }
  return schema.anyOf ? anyOf(objects, schema.description) : allOf(objects, schema.description)
}

function anyOf(branches: readonly ObjectSchema[], description: string | undefined): ObjectSchema {
  const requiredBySome = branches.map((branch) => new Set(branch.required))
  const required = [...(requiredBySome[0] ?? [])].filter((name) => requiredBySome.every((names) => names.has(name)))
  const choice = `Give one of: ${branches.map(summary).join(', or ')}`
  return {
    type: 'object',
    description: description === undefined ? choice : `${description}. ${choice}`,
    properties: mergeProperties(branches, (variants) => (variants.length === 1 ? variants[0] : unionOf(variants))),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties:
      branches.find((branch) => branch.additionalProperties !== false)?.additionalProperties ?? false,
  }
}

function allOf(parts: readonly ObjectSchema[], description: string | undefined): ObjectSchema {
  const required = [...new Set(parts.flatMap((part) => part.required ?? []))]
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties: mergeProperties(parts, (variants) => (variants.length === 1 ? variants[0] : { allOf: variants })),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: parts.find((part) => part.additionalProperties !== false)?.additionalProperties ?? false,
  }
}

function mergeProperties(
  objects: readonly ObjectSchema[],
  merge: (variants: JsonSchemaDefinition[]) => JsonSchemaDefinition | undefined,
): ObjectSchema['properties'] {
  const names = [...new Set(objects.flatMap((object) => Object.keys(object.properties)))]
  return Object.fromEntries(
    names.map((name) => {
      const all = objects.flatMap((object) =>
        Object.hasOwn(object.properties, name) ? [object.properties[name] ?? true] : [],
      )
      const distinct = [...new Map(all.map((definition) => [JSON.stringify(definition), definition])).values()]
      return [name, merge(distinct) ?? true]
    }),
  )
}

/** Constants and enumerations of one type become one enumeration; anything else stays a union. */
function unionOf(variants: readonly JsonSchemaDefinition[]): JsonSchema {
  const values: NonNullable<JsonSchema['enum']> = []
  const types = new Set<JsonSchema['type']>()
  for (const variant of variants) {
    const literal = typeof variant === 'boolean' ? undefined : variant
    const own = literal?.const === undefined ? literal?.enum : [literal.const]
    if (own === undefined || literal?.type === undefined) return { anyOf: [...variants] }
    types.add(literal.type)
    values.push(...own)
  }
  const [type] = types
  return type === undefined || types.size > 1 ? { anyOf: [...variants] } : { type, enum: [...new Set(values)] }
}

/** `{ kind: "link", url }`, of what a branch requires. */
function summary(branch: ObjectSchema): string {
  const names = (branch.required ?? []).map((name) => {
    const definition = branch.properties[name]
    return typeof definition === 'object' && definition.const !== undefined
      ? `${name}: ${JSON.stringify(definition.const)}`
      : name
  })
  return names.length === 0 ? '{}' : `{ ${names.join(', ')} }`
}
