import { Marks } from './marks.ts'
import { type GuardTool, type ToolIndex, toolIndex } from './tool-index.ts'

/** What reading calls needs to know about the offered tools, made once for them. */
export interface GuardGrammar {
  tools: ToolIndex
  marks: Marks
  /** Inside a fence, where nobody reasons. */
  innerMarks: Marks
}

export function guardGrammar(tools: readonly GuardTool[]): GuardGrammar {
  const index = toolIndex(tools)
  return { tools: index, marks: new Marks(index, true), innerMarks: new Marks(index, false) }
}
