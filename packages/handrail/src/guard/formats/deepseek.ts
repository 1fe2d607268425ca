import { Stops } from '../bracket-end.ts'
import type { TextFormat } from '../text-format.ts'
import { type TokenBlock, TokenBlockReader } from './token-block.ts'

/** How the blanks inside a token arrive: as the model's own sign, or replaced on the way. */
const blanks = ['▁', '_', ' ', '\\_']

function spellings(words: readonly string[]): string[] {
  return ['｜', '|'].flatMap((bar) => blanks.map((blank) => `<${bar}${words.join(blank)}${bar}>`))
}

const tokens: TokenBlock = {
  section: new Stops(spellings(['tool', 'calls', 'begin'])),
  sectionEnd: new Stops(spellings(['tool', 'calls', 'end'])),
  call: new Stops(spellings(['tool', 'call', 'begin'])),
  callEnd: new Stops(spellings(['tool', 'call', 'end'])),
  separator: new Stops(spellings(['tool', 'sep'])),
}

/** `<|tool_call_begin|>` is Kimi's too; Kimi's reader takes that spelling. */
const shared = '<|tool_call_begin|>'

/** DeepSeek R1 to 3.1: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_page<｜tool▁sep｜>{json}<｜tool▁call▁end｜>…`. */
export const deepseek: TextFormat = {
  name: 'deepseek',
  place: 'anywhere',
  starts: () => [...tokens.section.marks, ...tokens.call.marks].filter((token) => token !== shared),
  open: (mark, context) => new TokenBlockReader(mark, tokens, context),
}
