import type { ToolCallRepairFunction, ToolSet } from 'ai'
import { NoSuchToolError } from 'ai'
import type { JsonSchemaDefinition } from '../tool/json-schema.ts'
import { fitCall } from './fit/fit-call.ts'
import { parseJson } from './json/parse-json.ts'
import { repairAllowance } from './json/repair-allowance.ts'
import { toolIndex } from './tool-index.ts'

/**
 * For `repairToolCall` of the AI SDK: makes a tool call valid whose arguments are broken JSON, or do not fit where
 * there is one way to make them, or whose name carries a namespace (`functions.get_page`). It guesses nothing: what
 * cannot be repaired stays an error, which the model is shown.
 *
 * @example
 * streamText({ model, tools, repairToolCall })
 * // `{"city": "Paris",}` becomes {"city": "Paris"}; `{"count": "3"}` becomes {"count": 3}
 */
export const repairToolCall: ToolCallRepairFunction<ToolSet> = async ({ toolCall, tools, inputSchema, error }) => {
  const names = Object.keys(tools)
  const toolName = toolIndex(names.map((name) => ({ name }))).find(toolCall.toolName)?.name
  if (toolName === undefined || (NoSuchToolError.isInstance(error) && toolName === toolCall.toolName)) return null
  // as: the SDK gives draft 7, of which only what we know is read
  const schema = (await inputSchema({ toolName })) as JsonSchemaDefinition
  const input = repairInput(toolCall.input, toolName, schema)
  return input === undefined || (input === toolCall.input && toolName === toolCall.toolName)
    ? null
    : { ...toolCall, toolName, input }
}

/**
 * The arguments of one tool call as valid JSON that fits the tool.
 *
 * @param input the arguments as the model wrote them.
 * @returns nothing when they cannot be read, or cannot fit.
 */
export function repairInput(
  input: string,
  toolName: string,
  schema: JsonSchemaDefinition | undefined,
): string | undefined {
  const written = input.trim() === '' ? '{}' : input
  const parsed = parseJson(withoutFence(written), repairAllowance())
  if (parsed === undefined) return undefined
  const draft = {
    name: toolName,
    arguments: { kind: 'values', value: parsed.value },
    certainty: parsed.certainty,
  } as const
  const call = fitCall(draft, toolIndex([{ name: toolName, parameters: schema }]))
  return call === undefined ? undefined : JSON.stringify(call.arguments)
}

function withoutFence(text: string): string {
  return /^\s*```(?:json)?\s*([\s\S]*?)```\s*$/.exec(text)?.[1] ?? text
}
