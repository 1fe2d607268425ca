import { wrappedFormat } from './wrapped-format.ts'

/** GigaChat 3: `<|function_call|>{json}`. */
export const gigachat = wrappedFormat('gigachat', [
  ['<|function_call|>'],
  ['<|message_sep|>\n\nfunction call<|role_sep|>\n'],
])
