import { wrappedFormat } from './wrapped-format.ts'

/** LFM2: `<|tool_call_start|>[get_page(id="7")]<|tool_call_end|>`, also with JSON. */
export const lfm2 = wrappedFormat('lfm2', [['<|tool_call_start|>', '<|tool_call_end|>']])
