import type { CallDraft } from './bodies/call-draft.ts'
import type { RepairAllowance } from './json/repair-allowance.ts'
import type { ToolIndex } from './tool-index.ts'

/** What a reader and the readers of bodies need to know about this message. */
export interface ReadingContext {
  tools: ToolIndex
  repairs: RepairAllowance
}

/**
 * What has become of the start of a call.
 * `more`: it may still be one. `calls`: text[start, end) is these. `text`: it is none, nor is anything before `resume`.
 * Offsets are offsets in the text given to `read`.
 */
export type Reading =
  | { kind: 'more' }
  | { kind: 'calls'; end: number; drafts: CallDraft[] }
  | {
      kind: 'text'
      resume: number
      /** How far it was read before that was clear, where that is further than `resume`. */
      read?: number
      /** JSON that is no call begins here: what looks like a call inside it is data. */
      data?: boolean
    }

export const more: Reading = { kind: 'more' }

/** What the reader is told with each look at the text. */
export interface ReadingAt {
  /** All of the message that is not yet settled. */
  text: string
  /** Where the call may start. It keeps denoting the same character, though its offset may shrink between looks. */
  start: number
  /** Nothing follows any more. Then `more` is no answer. */
  final: boolean
  /** Nothing follows because the model was cut off: what is not closed is no call. */
  truncated: boolean
}

/** Follows one possible call while its text arrives. It keeps its place, so that the text is read once. */
export interface CallReader {
  read(at: ReadingAt): Reading
}

/**
 * One way in which models write calls as text. To add one: a file beside the others, and a line in `table.ts`.
 */
export interface TextFormat {
  name: string
  /**
   * Where it may start. `anywhere`: it begins with a mark that nobody writes by accident. `line`: only as the first
   * thing on a line. `apart`: that, or behind a sentence, or straight behind a mark of a template that we do not know.
   */
  place: 'anywhere' | 'line' | 'apart'
  /** What the start of a call looks like, literally. */
  starts(tools: ToolIndex): readonly string[]
  /**
   * @param mark the one of `starts` that was found.
   * @param inLine it follows words on the same line.
   */
  open(mark: string, context: ReadingContext, inLine: boolean): CallReader
}
