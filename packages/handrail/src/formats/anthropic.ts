import { inputJsonSchemaOf } from '../tool/convert-schema.ts'
import type { ObjectSchema } from '../tool/json-schema.ts'
import type { Tool } from '../tool/tool.ts'

/** A tool of Anthropic's messages API. */
export interface AnthropicTool {
  name: string
  description: string
  input_schema: ObjectSchema
}

/** @param name the name on the wire, where it is not the tool's own (see `wireNames`). */
export function anthropicTool(tool: Tool, name = tool.name): AnthropicTool {
  return { name, description: tool.description, input_schema: inputJsonSchemaOf(tool) }
}
