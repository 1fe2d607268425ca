import { wrappedFormat } from './wrapped-format.ts'

/** LongCat: `<longcat_tool_call>get_page<longcat_arg_key>…`, also with JSON. */
export const longcat = wrappedFormat('longcat', [['<longcat_tool_call>', '</longcat_tool_call>']])
