import { inputJsonSchemaOf } from '../../tool/convert-schema.ts'
import type { Tool } from '../../tool/tool.ts'

/** An input that must be refused. */
export interface BadInput {
  what: string
  value: unknown
  /** What the message has to name, so that the sender can mend it. */
  names: string | undefined
}

const strangeKey = 'noSuchArgument'

/** Spoils a good input in every way that its schema lets one think of, and in the ways that are always bad. */
export function badInputs(tool: Tool, good: unknown): BadInput[] {
  const given = isRecord(good) ? good : {}
  const { properties, required = [] } = inputJsonSchemaOf(tool)
  const bad: BadInput[] = [
    { what: 'an unknown key', value: { ...given, [strangeKey]: 1 }, names: strangeKey },
    { what: 'a list', value: [], names: undefined },
    { what: 'text that is no JSON', value: '{"a":', names: undefined },
    { what: '`__proto__`', value: JSON.parse('{"__proto__":{"isAdmin":true}}'), names: '__proto__' },
    { what: 'depth', value: nested(1_000), names: undefined },
    { what: 'a megabyte', value: { ...given, [strangeKey]: 'x'.repeat(1_000_000) }, names: undefined },
  ]
  for (const name of required) {
    bad.push({ what: `\`${name}\` missing`, value: without(given, name), names: name })
    bad.push({ what: `\`${name}\` null`, value: { ...given, [name]: null }, names: name })
  }
  for (const [name, schema] of Object.entries(properties)) {
    const wrong = wrongValue(schema)
    if (wrong === undefined) continue
    bad.push({ what: `\`${name}\` of a wrong type`, value: { ...given, [name]: wrong.value }, names: name })
    if (typeof given[name] === 'string') {
      bad.push({ what: `NUL in \`${name}\``, value: { ...given, [name]: 'a\u0000b' }, names: name })
      bad.push({ what: `half a surrogate pair in \`${name}\``, value: { ...given, [name]: 'a\ud800b' }, names: name })
    }
  }
  return bad
}

/** Something that a schema of these types cannot mean; undefined where anything goes. */
function wrongValue(schema: unknown): { value: unknown } | undefined {
  const types = typesOf(schema)
  if (types.size === 0) return undefined
  if (!types.has('string')) return { value: 'not this' }
  if (!types.has('number') && !types.has('integer')) return { value: 12_345 }
  if (!types.has('object')) return { value: { not: 'this' } }
  return types.has('array') ? undefined : { value: ['not this'] }
}

function typesOf(schema: unknown): Set<string> {
  if (!isRecord(schema)) return new Set()
  const types = new Set([schema.type].flat().filter((type) => typeof type === 'string'))
  for (const choices of [schema.anyOf, schema.oneOf]) {
    if (!Array.isArray(choices)) continue
    for (const choice of choices) {
      const inner = typesOf(choice)
      if (inner.size === 0) return inner
      for (const type of inner) types.add(type)
    }
  }
  if (types.size === 0 && Array.isArray(schema.enum)) for (const value of schema.enum) types.add(typeof value)
  return types
}

function without(record: Record<string, unknown>, key: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))
}

function nested(depth: number): unknown {
  let value: unknown = {}
  for (let level = 0; level < depth; level++) value = { deeper: value }
  return value
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
