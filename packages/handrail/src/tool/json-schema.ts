export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object'

/** The part of JSON Schema (draft 2020-12) that every model provider takes. */
export interface JsonSchema {
  type?: JsonType | JsonType[]
  title?: string
  description?: string
  examples?: unknown[]
  enum?: unknown[]
  const?: unknown
  multipleOf?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  items?: JsonSchemaDefinition
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  properties?: Record<string, JsonSchemaDefinition>
  patternProperties?: Record<string, JsonSchemaDefinition>
  additionalProperties?: JsonSchemaDefinition
  propertyNames?: JsonSchemaDefinition
  required?: string[]
  minProperties?: number
  maxProperties?: number
  anyOf?: JsonSchemaDefinition[]
  allOf?: JsonSchemaDefinition[]
  not?: JsonSchemaDefinition
}

/** `true` accepts everything, `false` nothing. */
export type JsonSchemaDefinition = JsonSchema | boolean

/** A tool's arguments. */
export interface ObjectSchema extends JsonSchema {
  type: 'object'
  properties: Record<string, JsonSchemaDefinition>
}
