import { Stops } from '../bracket-end.ts'
import type { TextFormat } from '../text-format.ts'
import { type TokenBlock, TokenBlockReader } from './token-block.ts'

const tokens: TokenBlock = {
  section: new Stops(['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>']),
  sectionEnd: new Stops(['<|tool_calls_section_end|>', '<|tool_call_section_end|>']),
  call: new Stops(['<|tool_call_begin|>']),
  callEnd: new Stops(['<|tool_call_end|>']),
  separator: new Stops(['<|tool_call_argument_begin|>']),
}

/** Kimi K2: `<|tool_calls_section_begin|><|tool_call_begin|>functions.get_page:0<|tool_call_argument_begin|>{json}…`. */
export const kimi: TextFormat = {
  name: 'kimi',
  place: 'anywhere',
  starts: () => [...tokens.section.marks, ...tokens.call.marks],
  open: (mark, context) => new TokenBlockReader(mark, tokens, context),
}
