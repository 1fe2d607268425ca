import type { Tool } from '../tool/tool.ts'
import { type OpenAITool, openAITool } from './openai.ts'

/**
 * A tool of Backboard, which takes OpenAI's chat format. `parameters` with `properties` is always there, also for a tool
 * without arguments: its SDK reads them unasked.
 */
export type BackboardTool = OpenAITool

/** @param name the name on the wire, where it is not the tool's own (see `wireNames`). */
export function backboardTool(tool: Tool, name = tool.name): BackboardTool {
  return openAITool(tool, name)
}
