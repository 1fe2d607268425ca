import { callHead } from './call-head.ts'
import { beginsData } from './formats/bare-json.ts'
import type { FoundMark } from './marks.ts'
import type { MessageWindow } from './message-window.ts'
import type { CallReader, Reading, ReadingAt, TextFormat } from './text-format.ts'
import type { ToolIndex } from './tool-index.ts'

/** A place where a call may begin, with the readers that have not yet said no. */
export interface Candidate {
  start: number
  readers: NamedReader[]
  /** What the marks mean when no reader finds a call. */
  marks: readonly FoundMark[]
  /** Where to go on when it is none. */
  resume: number
  /** It is JSON that is no call. */
  data: boolean
  lineStart: boolean
  isFence: boolean
}

export interface NamedReader {
  format: string
  reader: CallReader
}

/** A mark that someone writes about, at the end of what stands before. */
const quotedMark = /[`"'“”‘’«»„](?:<[^<>\s]{2,40}>|\[[A-Z_]{4,20}\])\s*$/
const callBrace = /[\s"'a-z_/]/

/**
 * Whether a format may begin at a place.
 *
 * @param lineStart nothing but blanks, or a call, stands before it on its line.
 */
export function mayStand(format: TextFormat, window: MessageWindow, index: number, lineStart: boolean): boolean {
  if (format.place === 'anywhere') return true
  if (format.place === 'line') return lineStart
  if (quotedMark.test(window.textBefore(index))) return false
  if (lineStart) return true
  const previous = window.previous(index)
  // Behind a sentence; the reader sees to it that nothing else follows on the line.
  if (previous === ' ') return /[.!?:]/.test(window.previous(index, 2))
  // Straight behind the mark of an unknown template. In JSON these would be `[` and `,`, in prose a blank.
  if (/[\w>\]|;}{]/.test(previous)) return previous !== '{' || window.text[index] === '{'
  return previous === ':' && /\w/.test(window.previous(index, 2))
}

/** `<tool_call><tool_call>`: the first of them holds nothing. */
export function isRepeated(text: string, index: number, mark: FoundMark): boolean {
  const behind = index + mark.length
  if (mark.length < 3 || text.charCodeAt(behind) !== text.charCodeAt(index)) return false
  if (mark.meanings.some((meaning) => meaning.kind !== 'format')) return false
  return text.startsWith(text.slice(index, behind), behind)
}

/** A bracket that begins no call, which is all that most brackets need. `data`: it begins other JSON. */
export function isPlainBracket(text: string, index: number, tools: ToolIndex, final: boolean): 'data' | boolean {
  if (text[index] === '[') return text[index + 1] === '{' && callHead(text, index + 2, tools, false) === 'none'
  if (text[index] !== '{') return false
  const next = text[index + 1]
  if (next === undefined) return final
  if (!callBrace.test(next)) return true
  if (callHead(text, index + 1, tools, final) !== 'none') return false
  return beginsData(text, index) ? 'data' : true
}

/** For braces where no call may stand: only to see whether they hold data. */
export const dataReader: NamedReader = {
  format: 'data',
  reader: {
    read({ text, start, final }: ReadingAt): Reading {
      if (!final && /^\{\s*$/.test(text.slice(start, start + 50))) return { kind: 'more' }
      return { kind: 'text', resume: start + 1, data: beginsData(text, start) }
    },
  },
}
