import { wrappedFormat } from './wrapped-format.ts'

/** Gemma 4: `<|tool_call>call:get_page{id:<|"|>7<|"|>}<tool_call|>`. */
export const gemma4 = wrappedFormat('gemma4', [['<|tool_call>', '<tool_call|>']])
