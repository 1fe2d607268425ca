import { inputJsonSchemaOf } from '../tool/convert-schema.ts'
import type { ObjectSchema } from '../tool/json-schema.ts'
import type { Tool } from '../tool/tool.ts'

/** A tool of OpenAI's chat completions, which most other servers speak too. */
export interface OpenAITool {
  type: 'function'
  function: { name: string; description: string; parameters: ObjectSchema }
}

/** @param name the name on the wire, where it is not the tool's own (see `wireNames`). */
export function openAITool(tool: Tool, name = tool.name): OpenAITool {
  return { type: 'function', function: { name, description: tool.description, parameters: inputJsonSchemaOf(tool) } }
}
