import { wrappedFormat } from './wrapped-format.ts'

/** Apertus: `<|tools_prefix|>[{"get_page": {"id": "7"}}]<|tools_suffix|>`. */
export const apertus = wrappedFormat('apertus', [['<|tools_prefix|>', '<|tools_suffix|>']])
