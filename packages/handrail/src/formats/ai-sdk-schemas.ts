import { jsonSchema, type Schema, type ToolSet } from 'ai'
import { inputJsonSchemaOf } from '../tool/convert-schema.ts'
import type { Tool } from '../tool/tool.ts'

const schemas = new WeakMap<object, Schema<unknown>>()
const toolSets = new WeakMap<readonly Tool[], ToolSet>()

/**
 * A tool's arguments as the AI SDK wants them, built once per tool.
 *
 * It accepts every input: the gate parses, records the call, and tells the model which argument was wrong and what was
 * expected. A check by the SDK would end the call before the gate has seen it.
 */
export function aiSdkSchemaOf(tool: Tool): Schema<unknown> {
  let schema = schemas.get(tool.inputSchema)
  if (schema === undefined) {
    schema = jsonSchema(inputJsonSchemaOf(tool), { validate: (value) => ({ success: true, value }) })
    schemas.set(tool.inputSchema, schema)
  }
  return schema
}

/**
 * Tools as a model is told of them, without `execute`: what it calls is taken to the gate by the run. The same array
 * gives the same object, so that a list that does not change is prepared once.
 *
 * @example
 * streamText({ model, messages, tools: modelTools(pack.tools) })
 */
export function modelTools(tools: readonly Tool[]): ToolSet {
  let toolSet = toolSets.get(tools)
  if (toolSet === undefined) {
    toolSet = Object.freeze(
      Object.fromEntries(
        tools.map((tool) => [tool.name, { description: tool.description, inputSchema: aiSdkSchemaOf(tool) }]),
      ),
    )
    toolSets.set(tools, toolSet)
  }
  return toolSet
}
