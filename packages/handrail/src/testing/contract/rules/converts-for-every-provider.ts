import { anthropicTool } from '../../../formats/anthropic.ts'
import { backboardTool } from '../../../formats/backboard.ts'
import { mcpTool } from '../../../formats/mcp.ts'
import { openAITool } from '../../../formats/openai.ts'
import type { ObjectSchema } from '../../../tool/json-schema.ts'
import type { Tool } from '../../../tool/tool.ts'
import type { ToolRule } from '../tool-rule.ts'

const formats: Record<string, (tool: Tool) => { name: string; schema: ObjectSchema }> = {
  openai(tool) {
    const { function: converted } = openAITool(tool)
    return { name: converted.name, schema: converted.parameters }
  },
  backboard(tool) {
    const { function: converted } = backboardTool(tool)
    return { name: converted.name, schema: converted.parameters }
  },
  anthropic(tool) {
    const converted = anthropicTool(tool)
    return { name: converted.name, schema: converted.input_schema }
  },
  mcp(tool) {
    const converted = mcpTool(tool)
    return { name: converted.name, schema: converted.inputSchema }
  },
}

export const convertsForEveryProvider: ToolRule = {
  title: 'converts for each provider, and says what each argument is',
  problems({ tool }) {
    const problems = Object.entries(formats).flatMap(([format, convert]) => {
      try {
        const { name, schema } = convert(tool)
        if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return [`${format} cannot take the name \`${name}\``]
        if (schema.type !== 'object') return [`${format} needs an object for the arguments`]
        JSON.stringify(schema)
        return []
      } catch (error) {
        return [`${format}: ${error instanceof Error ? error.message : String(error)}`]
      }
    })
    return problems.length > 0 ? problems : argumentsWithoutWords(tool)
  },
}

function argumentsWithoutWords(tool: Tool): string[] {
  const { properties } = mcpTool(tool).inputSchema
  return Object.entries(properties)
    .filter(([, schema]) => typeof schema !== 'object' || !('description' in schema) || !schema.description)
    .map(([name]) => `the argument \`${name}\` has no description`)
}
