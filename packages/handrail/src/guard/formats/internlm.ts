import { wrappedFormat } from './wrapped-format.ts'

/** InternLM: `<|action_start|><|plugin|>{json}<|action_end|>`. */
export const internlm = wrappedFormat('internlm', [
  ['<|action_start|><|plugin|>', '<|action_end|>'],
  ['<|action_start|> <|plugin|>', '<|action_end|>'],
])
