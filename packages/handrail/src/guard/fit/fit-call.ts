import type { JsonSchemaDefinition } from '../../tool/json-schema.ts'
import type { CallDraft } from '../bodies/call-draft.ts'
import type { GuardTool, ToolIndex } from '../tool-index.ts'
import { fitText } from './fit-text.ts'
import { fitValue } from './fit-value.ts'
import { hasUnsafeKeys } from './unsafe-keys.ts'

/** A call of an offered tool, found in text. */
export interface RecoveredCall {
  name: string
  /** As the tool's schema has them, nearly always an object. */
  arguments: unknown
}

/** All drafts as calls; nothing if one of them is none, since half of what was meant may be the wrong half. */
export function fitCalls(drafts: readonly CallDraft[], tools: ToolIndex): RecoveredCall[] | undefined {
  const calls: RecoveredCall[] = []
  for (const draft of drafts) {
    const call = fitCall(draft, tools)
    if (call === undefined) return undefined
    calls.push(call)
  }
  return calls.length === 0 ? undefined : calls
}

/** The call a draft stands for; nothing if there is no such tool or the arguments cannot fit it. */
export function fitCall(draft: CallDraft, tools: ToolIndex): RecoveredCall | undefined {
  const tool = tools.find(draft.name)
  if (tool === undefined || tool.parameters === false) return undefined
  const written = writtenArguments(draft, tool)
  if (written === undefined || hasUnsafeKeys(written.value, tool.parameters)) return undefined
  const schema = tool.parameters
  const value = takesObject(schema) ? objectOf(written.value) : written.value
  if (value === undefined) return undefined
  const fitted = fitValue(value, schema, {
    declaredOnly: draft.certainty === 'guessed',
    partial: true,
    leaveObjects: draft.certainty === 'clean',
  })
  return fitted === undefined ? undefined : { name: tool.name, arguments: fitted.value }
}

function writtenArguments(draft: CallDraft, tool: GuardTool): { value: unknown } | undefined {
  const written = draft.arguments
  const properties = propertiesOf(tool.parameters)
  switch (written.kind) {
    case 'none':
      // A name alone calls only what takes nothing: `{"name": "x"}` is also just an object with a name.
      return Object.keys(properties).length === 0 ? { value: {} } : undefined
    case 'values':
      return { value: written.value }
    case 'texts':
      return {
        value: Object.fromEntries([...written.texts].map(([key, text]) => [key, fitText(text, properties[key])])),
      }
    case 'positional': {
      const [name, ...others] = Object.keys(properties)
      const sole = others.length === 0 && written.values.length === 1 ? name : undefined
      return sole === undefined ? undefined : { value: { [sole]: written.values[0] } }
    }
  }
}

function propertiesOf(schema: JsonSchemaDefinition | undefined): Record<string, JsonSchemaDefinition> {
  if (typeof schema !== 'object') return {}
  const all = { ...schema.properties }
  for (const part of schema.allOf ?? []) Object.assign(all, propertiesOf(part))
  return all
}

function takesObject(schema: JsonSchemaDefinition | undefined): boolean {
  if (typeof schema !== 'object' || schema.type === undefined) return true
  return schema.type === 'object'
}

/** Arguments that were written as a text are read once, and only as strict JSON. */
function objectOf(value: unknown): unknown {
  const object = typeof value === 'string' ? parsed(value) : value
  return typeof object === 'object' && object !== null && !Array.isArray(object) ? object : undefined
}

function parsed(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
