import type { PackPhrases } from '../pack/pack.ts'

export type FieldKind =
  | 'choice'
  | 'number'
  | 'boolean'
  | 'reference'
  | 'references'
  | 'words'
  | 'word'
  | 'name'
  | 'text'

/** The part of JSON Schema that tools' inputs use and words can fill. */
export interface InputSchema {
  type?: string | string[]
  properties?: Record<string, InputSchema | boolean>
  required?: string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: (InputSchema | boolean)[]
  oneOf?: (InputSchema | boolean)[]
  items?: InputSchema | boolean | (InputSchema | boolean)[]
  maximum?: number
  default?: unknown
}

/** One argument of a tool, as the interpreter can fill it from words. */
export interface Field {
  name: string
  kind: FieldKind
  required: boolean
  /** What people call it: `mvpCriticality` is *criticality* or *priority*. */
  words: readonly string[]
  /** For a choice: each value with the words for it. */
  choices: readonly { value: string; words: readonly string[] }[]
  maximum: number | undefined
}

/**
 * Reads a tool's arguments from its JSON Schema. An argument of a shape that words cannot fill (a nested object) is left
 * out; when it is required the tool can be reached by a script line only.
 */
export function readFields(schema: InputSchema, phrases: PackPhrases): Field[] {
  const required = new Set(schema.required ?? [])
  return Object.entries(schema.properties ?? {}).flatMap(([name, definition]) => {
    const property = plainSchema(definition)
    const kind = property && kindOf(name, property, phrases)
    if (!property || !kind) return []
    const choices = (property.enum ?? (property.const === undefined ? [] : [property.const])).flatMap((value) =>
      typeof value === 'string'
        ? [{ value, words: [value.replaceAll(/[_-]/g, ' '), value, ...ownList(phrases.values, value)] }]
        : [],
    )
    const words = [...ownList(phrases.fields, name), spokenName(name)]
    return [
      {
        name,
        kind,
        required: required.has(name) && property.default === undefined,
        words,
        choices,
        maximum: property.maximum,
      },
    ]
  })
}

function kindOf(name: string, property: InputSchema, phrases: PackPhrases): FieldKind | undefined {
  if (property.enum || property.const !== undefined) return 'choice'
  const isReference = phrases.references !== undefined && Object.hasOwn(phrases.references, name)
  if (property.type === 'array') {
    const items = Array.isArray(property.items) ? undefined : plainSchema(property.items)
    if (items?.type !== 'string') return undefined
    return isReference ? 'references' : 'words'
  }
  if (property.type === 'integer' || property.type === 'number') return 'number'
  if (property.type === 'boolean') return 'boolean'
  if (property.type !== 'string') return undefined
  if (isReference) return 'reference'
  // An id or a page mark that nothing says how to look up is never taken from somebody's words.
  if (/(Id|^cursor)$/.test(name)) return undefined
  if (phrases.words?.includes(name)) return 'word'
  return phrases.texts?.includes(name) ? 'text' : 'name'
}

function plainSchema(definition: InputSchema | boolean | undefined): InputSchema | undefined {
  if (definition === undefined || typeof definition === 'boolean') return undefined
  const options = definition.anyOf ?? definition.oneOf
  if (!options) return definition
  return options.map(plainSchema).find((option) => option !== undefined && option.type !== 'null')
}

/** `mvpCriticality` → `mvp criticality`; a trailing Id is not said. */
function spokenName(name: string): string {
  return name
    .replace(/Ids?$/, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
}

/** The list at an own key of a table of hints; none when there is none. */
export function ownList(
  table: Readonly<Record<string, readonly string[]>> | undefined,
  key: string,
): readonly string[] {
  return table && Object.hasOwn(table, key) ? (table[key] ?? []) : []
}
