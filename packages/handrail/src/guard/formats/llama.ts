import { wrappedFormat } from './wrapped-format.ts'

/** Llama 3: `<|python_tag|>{json}; {json}`; Llama 4: `<|python_start|>[get_page(id="7")]<|python_end|>`. */
export const llama = wrappedFormat('llama', [['<|python_tag|>'], ['<|python_start|>', '<|python_end|>']])
