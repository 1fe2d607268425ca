import { wrappedFormat } from './wrapped-format.ts'

/** MiniMax M2: `<minimax:tool_call><invoke name="get_page"><parameter name="id">7</parameter></invoke></minimax:tool_call>`. */
export const minimax = wrappedFormat('minimax', [['<minimax:tool_call>', '</minimax:tool_call>']])
