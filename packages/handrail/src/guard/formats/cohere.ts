import { wrappedFormat } from './wrapped-format.ts'

/** Cohere Command: `<|START_ACTION|>[{"tool_name": …, "parameters": …}]<|END_ACTION|>`. */
export const cohere = wrappedFormat('cohere', [['<|START_ACTION|>', '<|END_ACTION|>']])
