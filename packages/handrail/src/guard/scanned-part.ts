import type { RecoveredCall } from './fit/fit-call.ts'

/**
 * What a message turns out to be made of, in order. `written` is the text a call was found in; of several calls in
 * one text, the first has it.
 */
export type ScannedPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'call'; call: RecoveredCall; format: string; written: string }
  /** All before this was reasoning that the prompt had begun; calls in it were only thought of. */
  | { type: 'was-reasoning' }
