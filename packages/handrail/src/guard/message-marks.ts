/** Where a model's reasoning stands in its text. */
export interface ReasoningTag {
  open: string
  close: readonly string[]
  /** `line`: only as the first thing on a line, since people write such tags in prose. */
  place: 'anywhere' | 'line'
}

export const reasoningTags: readonly ReasoningTag[] = [
  { open: '<think>', close: ['</think>'], place: 'line' },
  { open: '<thinking>', close: ['</thinking>'], place: 'line' },
  { open: '<thought>', close: ['</thought>'], place: 'line' },
  { open: '<seed:think>', close: ['</seed:think>'], place: 'anywhere' },
  { open: '[THINK]', close: ['[/THINK]'], place: 'anywhere' },
  { open: '<|START_THINKING|>', close: ['<|END_THINKING|>'], place: 'anywhere' },
  { open: '<|inner_prefix|>', close: ['<|inner_suffix|>'], place: 'anywhere' },
  { open: '<|begin_of_thought|>', close: ['<|end_of_thought|>'], place: 'anywhere' },
  { open: '<|channel>thought', close: ['<channel|>'], place: 'anywhere' },
  { open: '<|channel|>analysis<|message|>', close: ['<|end|>'], place: 'anywhere' },
  { open: '<|start|>assistant<|channel|>analysis<|message|>', close: ['<|end|>'], place: 'anywhere' },
  { open: '◁think▷', close: ['◁/think▷'], place: 'anywhere' },
]

/** Ends of reasoning that the prompt had begun: all before them was reasoning. */
export const reasoningEnds: readonly string[] = [
  '</think>',
  '</thinking>',
  '</seed:think>',
  '[/THINK]',
  '[BEGIN FINAL RESPONSE]',
  '<|END_THINKING|>',
  '<|inner_suffix|>',
  '<channel|>',
  '◁/think▷',
]

/** Marks between the parts of a message, which are nobody's words. */
export const structureMarks: readonly string[] = [
  '<|start|>assistant<|channel|>final<|message|>',
  '<|start|>assistant<|channel|>commentary<|message|>',
  '<|channel|>final<|message|>',
  '<|channel|>commentary<|message|>',
  '<|end|>',
  '<|return|>',
  '<|START_RESPONSE|>',
  '<|END_RESPONSE|>',
  '<|START_TEXT|>',
  '<|END_TEXT|>',
  '<|im_start|>assistant\n',
  '<|CHATBOT_TOKEN|>',
  '<|END_OF_TURN_TOKEN|>',
  '<|begin_of_solution|>',
  '<|end_of_solution|>',
]

/** What may be left over behind a call: the end of a wrapper that was found without its beginning, or of the turn. */
export const leftovers: readonly string[] = [
  '</tool_call>',
  '</tool_calls>',
  '</function_calls>',
  '</function>',
  '</seed:tool_call>',
  '</minimax:tool_call>',
  '<|tool_call_end|>',
  '<|tool_calls_section_end|>',
  '<|tool_call_section_end|>',
  '<｜tool▁call▁end｜>',
  '<｜tool▁calls▁end｜>',
  '</｜DSML｜function_calls>',
  '</｜DSML｜tool_calls>',
  '[/TOOL_CALLS]',
  '<tool_call|>',
  '<|call|>',
  '<start_function_response>',
  '<|eom_id|>',
  '<|eot_id|>',
  '<|im_end|>',
  '<|endoftext|>',
  '<｜end▁of▁sentence｜>',
  '</s>',
]
