import { wrappedFormat } from './wrapped-format.ts'

/** Tags of many small models: `<function_call>`, OLMo's `<function_calls>`, Apriel's and Hunyuan's `<tool_calls>`. */
export const functionCallTag = wrappedFormat('function-call-tag', [
  ['<function_call>', '</function_call>'],
  ['<function_calls>', '</function_calls>'],
  ['<tool_calls>', '</tool_calls>'],
  ['<tools>', '</tools>'],
  ['<tool_use>', '</tool_use>'],
  ['<tool_code>', '</tool_code>'],
  ['<tool>', '</tool>'],
])
