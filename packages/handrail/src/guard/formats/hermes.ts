import { wrappedFormat } from './wrapped-format.ts'

/** Hermes, Qwen, GLM, Nemotron and many others: `<tool_call>{json}</tool_call>`, or any other body in it. */
export const hermes = wrappedFormat('hermes', [['<tool_call>', '</tool_call>']])
