import { wrappedFormat } from './wrapped-format.ts'

/** functiongemma: `<start_function_call>call:get_page{id:<escape>7<escape>}<end_function_call>`. */
export const functiongemma = wrappedFormat('functiongemma', [['<start_function_call>', '<end_function_call>']])
