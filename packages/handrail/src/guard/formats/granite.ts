import { wrappedFormat } from './wrapped-format.ts'

/** Granite 3 and Phi-4: `<|tool_call|>[{json}]`, Phi-4 with `<|/tool_call|>` behind it. */
export const granite = wrappedFormat('granite', [['<|tool_call|>', '<|/tool_call|>', '<|end_tool_call|>']])
