import { BracketEnd } from './bracket-end.ts'
import { callHead } from './call-head.ts'
import { presentsExample } from './example-text.ts'
import { FenceReader } from './fence-reader.ts'
import { fitCalls, type RecoveredCall } from './fit/fit-call.ts'
import { beginsData } from './formats/bare-json.ts'
import { type GuardGrammar, guardGrammar } from './guard-grammar.ts'
import { repairAllowance } from './json/repair-allowance.ts'
import type { FoundMark, Marks } from './marks.ts'
import type { ScannedPart } from './scanned-part.ts'
import type { CallReader, Reading, ReadingContext, TextFormat } from './text-format.ts'
import type { GuardTool } from './tool-index.ts'

export interface CallScannerOptions {
  /** What the model was offered: a list, or what `guardGrammar` made of it. */
  tools: readonly GuardTool[] | GuardGrammar
  /** The message begins within reasoning: the prompt ends with an opening tag. */
  startsInReasoning?: boolean
  /** It is the inside of a fence: no fences, examples or reasoning in it. */
  inner?: boolean
}

interface OpenCandidate {
  start: number
  readers: { reader: CallReader; format: string }[]
  /** What the marks mean when no reader finds a call. */
  marks: readonly FoundMark[]
  resume: number
  data: boolean
  lineStart: boolean
  isFence?: boolean
}

interface Data {
  start: number
  bracket: BracketEnd
}

/** Where something may begin; the look ahead keeps rows of brackets from being looked at one by one. */
const notable = /<(?=[A-Za-z/]|[|｜][A-Za-z/]|[|｜]?$)|\[(?=[A-Za-z/_\s{]|$)|\{(?=[\s"'A-Za-z_/{]|$)|\n|◁/g
const callBrace = /[\s"'a-z_/]/
/** A mark that someone writes about, at the end of what stands before. */
const quotedMark = /[`"'“”‘’«»„](?:<[^<>\s]{2,40}>|\[[A-Z_]{4,20}\])\s*$/
const quotesBefore = '`"\'“”‘’«»„'
const kept = 240

/**
 * Takes a message apart as it arrives: text, reasoning, and calls written as text. What could still be the start of a
 * call is held back, and nothing else. How the message is cut into pieces makes no difference to what is found.
 *
 * @example
 * const scanner = new CallScanner({ tools: [{ name: 'get_page' }] })
 * scanner.push('One moment. <tool_')                                            // text 'One moment. '
 * scanner.push('call>{"name": "get_page", "arguments": {"id": "7"}}</tool_call>')   // call get_page {"id": "7"}
 * scanner.finish()
 */
export class CallScanner {
  private readonly grammar: GuardGrammar
  private readonly context: ReadingContext
  private readonly marks: Marks
  private readonly inner: boolean
  private parts: ScannedPart[] = []
  /** What is not yet handed on. */
  private text = ''
  /** Pieces that are not yet worth looking at: a long candidate is looked at again when it has grown by a part. */
  private waiting: string[] = []
  private waitingLength = 0
  /** Up to here the text is settled; what is before `settled` is handed on when the look ends. */
  private settled = 0
  private at = 0
  /** How many characters were handed on before `text`. */
  private offset = 0
  /** The last characters handed on. */
  private before = ''
  private atLineStart = true
  private candidate: OpenCandidate | undefined
  private data: Data | undefined
  private inFence = false
  private reasoning: { close: readonly string[]; heldFrom: number } | undefined
  private hadReasoning = false
  /** Blanks behind a call or behind reasoning, which only count when something other than a call follows. */
  private blanks: 'keep' | 'drop-if-last' | 'drop' = 'keep'
  private wasted = 0
  private copied = 0

  constructor({ tools, startsInReasoning = false, inner = false }: CallScannerOptions) {
    this.grammar = 'marks' in tools ? tools : guardGrammar(tools)
    this.context = { tools: this.grammar.tools, repairs: repairAllowance() }
    this.inner = inner
    this.marks = inner ? this.grammar.innerMarks : this.grammar.marks
    if (startsInReasoning) {
      this.reasoning = { close: ['</think>', '</thinking>', '[/THINK]', '<|END_THINKING|>'], heldFrom: -1 }
      this.hadReasoning = true
    }
  }

  /** How many characters were looked at so far, those twice that were looked at in vain before. */
  get charactersRead(): number {
    return this.offset + this.text.length + this.wasted
  }

  /** @returns what is clear by now. */
  push(piece: string): ScannedPart[] {
    if (piece === '') return []
    this.waiting.push(piece)
    this.waitingLength += piece.length
    const received = this.offset + this.text.length + this.waitingLength
    // Joining a long held text for each small piece would copy it again and again.
    const tooEarly =
      this.copied + this.text.length > 32 * received + 65_536 && this.waitingLength < this.text.length / 16
    return tooEarly ? [] : this.look(false, false)
  }

  /**
   * @param truncated the model was cut off: a call that is not closed is none.
   * @returns what was held back.
   */
  finish(truncated = false): ScannedPart[] {
    return this.look(true, truncated)
  }

  private look(final: boolean, truncated: boolean): ScannedPart[] {
    this.copied += this.text.length
    this.text += this.waiting.length === 1 ? this.waiting[0] : this.waiting.join('')
    this.waiting = []
    this.waitingLength = 0
    while (this.step(final, truncated));
    this.handOn(final ? this.text.length : this.settled)
    const parts = this.parts
    this.parts = []
    return parts
  }

  /** One step on; false when there is nothing more to do with what is there. */
  private step(final: boolean, truncated: boolean): boolean {
    if (this.reasoning !== undefined) return this.reason(final)
    if (this.inFence) return this.skipFence()
    if (this.candidate !== undefined) return this.follow(this.candidate, final, truncated)
    if (this.atLineStart) {
      const line = this.beginLine(final)
      if (line !== undefined) return line
    }
    notable.lastIndex = this.at
    const match = notable.exec(this.text)
    if (match === null) {
      this.at = this.text.length
      this.settled = this.at
      return false
    }
    this.at = match.index
    if (match[0] === '\n') {
      this.at++
      this.atLineStart = true
      return true
    }
    return this.beginAt(this.at, final)
  }

  /** Looks for what may only stand at the start of a line. Nothing when the line is ordinary. */
  private beginLine(final: boolean): boolean | undefined {
    let index = this.at
    while (index < this.text.length && ' \t\r\n'.includes(this.text.charAt(index))) index++
    this.at = index
    this.settled = index
    const letter = this.text[index]
    if (letter === undefined) return false
    if (letter === '`' && !this.inner) {
      const fence = this.text.slice(index, index + 3)
      if ('```'.startsWith(fence) && fence.length < 3 && !final) return false
      if (fence === '```') return this.beginFence(index, final)
    }
    if ('<[{◁'.includes(letter)) return undefined
    const begun = this.beginAt(index, final)
    if (this.candidate === undefined && begun) this.at = index
    if (!begun) return false
    this.atLineStart = false
    return true
  }

  private beginFence(index: number, final: boolean): boolean {
    const lineEnd = this.text.indexOf('\n', index)
    if (lineEnd === -1 && !final && this.text.length - index < 60) return false
    const info =
      lineEnd === -1
        ? '-'
        : this.text
            .slice(index + 3, lineEnd)
            .trim()
            .toLowerCase()
    this.atLineStart = false
    if (
      !FenceReader.mayHoldCalls(info) ||
      presentsExample(this.textBefore(index), true) ||
      this.context.tools.names.length === 0
    ) {
      this.inFence = true
      this.at = lineEnd === -1 ? index + 3 : lineEnd
      this.settled = this.at
      return true
    }
    const inside = new CallScanner({ tools: this.grammar, inner: true })
    const reader = new FenceReader(lineEnd + 1 - index, inside)
    this.candidate = {
      start: index,
      readers: [{ reader, format: 'fence' }],
      marks: [],
      resume: index + 3,
      data: false,
      lineStart: true,
      isFence: true,
    }
    return true
  }

  private skipFence(): boolean {
    const end = this.text.indexOf('\n```', this.at)
    if (end === -1) {
      this.at = Math.max(this.at, this.text.length - unfinished(this.text, ['\n```']))
      this.settled = this.at
      return false
    }
    this.inFence = false
    this.at = end + 4
    this.settled = this.at
    return true
  }

  /** Opens what may begin here. False when that is not clear yet; then the text is held back from here. */
  private beginAt(index: number, final: boolean): boolean {
    if (this.isPlainBrace(index, final) || this.isPlainList(index)) {
      this.at = index + 1
      this.atLineStart = false
      return true
    }
    const marks = this.marks.at(this.text, index, final)
    if (marks === 'unclear') {
      this.settled = index
      return false
    }
    const lineStart = this.atLineStart
    const longest = marks[0]
    if (longest === undefined || this.isRepeated(index, longest)) {
      this.at = index + (longest?.length ?? 1)
      this.atLineStart = false
      return true
    }
    const quoted = this.isQuoted(index)
    const isData = this.isData(index)
    const blocked = quoted || (isData && this.data?.bracket.inString === true)
    const held: OpenCandidate = {
      start: index,
      readers: [],
      marks: quoted ? [] : marks,
      resume: index + 1,
      data: false,
      lineStart,
    }
    for (const mark of marks)
      for (const meaning of mark.meanings) {
        if (meaning.kind !== 'format') continue
        const { format } = meaning
        if (!blocked && !(isData && mark.length === 1) && this.mayStand(format, index, lineStart)) {
          const written = this.text.slice(index, index + mark.length)
          held.readers.push({
            reader: format.open(written, this.context, this.previous(index, 1) === ' ' && !lineStart),
            format: format.name,
          })
        } else if (format.name === 'bare-json' && this.text[index] === '{') held.readers.push(dataReader)
      }
    this.candidate = held
    this.settled = index
    return true
  }

  /** `<tool_call><tool_call>`: the first of them holds nothing. */
  private isRepeated(index: number, mark: FoundMark): boolean {
    if (mark.length < 3 || this.text.charCodeAt(index + mark.length) !== this.text.charCodeAt(index)) return false
    if (mark.meanings.some((meaning) => meaning.kind !== 'format')) return false
    return this.text.startsWith(this.text.slice(index, index + mark.length), index + mark.length)
  }

  /** A brace that begins no call, which is all that most braces need. */
  private isPlainBrace(index: number, final: boolean): boolean {
    if (this.text[index] !== '{') return false
    const next = this.text[index + 1]
    if (next === undefined) return final
    if (!callBrace.test(next)) return true
    if (this.isData(index)) return true
    if (callHead(this.text, index + 1, this.context.tools, final) !== 'none') return false
    if (beginsData(this.text, index)) this.data ??= { start: index, bracket: new BracketEnd(false) }
    return true
  }

  /** `[{` whose object is no call. */
  private isPlainList(index: number): boolean {
    if (this.text[index] !== '[' || this.text[index + 1] !== '{') return false
    return this.isData(index) || callHead(this.text, index + 2, this.context.tools, false) === 'none'
  }

  private mayStand(format: TextFormat, index: number, lineStart: boolean): boolean {
    if (format.place === 'anywhere') return true
    if (format.place === 'apart' && quotedMark.test(this.textBefore(index))) return false
    if (lineStart || this.isBetweenCalls(index)) return true
    if (format.place === 'line') return false
    // Apart: straight behind the mark of an unknown template. In JSON these would be `[` and `,`, in prose a blank.
    const previous = this.previous(index, 1)
    // Behind a sentence; the reader sees to it that nothing else follows on the line.
    if (previous === ' ') return /[.!?:]/.test(this.previous(index, 2))
    if (/[\w>\]|;}{]/.test(previous)) return previous !== '{' || this.text[index] === '{'
    return previous === ':' && /\w/.test(this.previous(index, 2))
  }

  /** Whether only blanks and separators stand between the last call and this place. */
  private isBetweenCalls(index: number): boolean {
    return this.blanks === 'drop-if-last' && /^[\s;,]*$/.test(this.text.slice(0, index))
  }

  private previous(index: number, back: number): string {
    return index >= back ? this.text.charAt(index - back) : this.before.charAt(this.before.length - (back - index))
  }

  private isQuoted(index: number): boolean {
    const previous = this.previous(index, 1)
    return previous !== '' && quotesBefore.includes(previous)
  }

  /** Whether this place is inside JSON that is an answer, not a call. */
  private isData(index: number): boolean {
    if (this.data === undefined) return false
    const { bracket, start } = this.data
    if (bracket.find(this.text, start, index) === undefined) return true
    this.data = undefined
    return false
  }

  private follow(candidate: OpenCandidate, final: boolean, truncated: boolean): boolean {
    const current = candidate.readers[0]
    if (current === undefined) return this.giveUp(candidate, final)
    const reading = current.reader.read({ text: this.text, start: candidate.start, final, truncated })
    if (reading.kind === 'more') return false
    if (reading.kind === 'calls') {
      const calls = this.fits(reading, candidate, current.format)
      if (calls !== undefined) {
        const length = reading.end - candidate.start
        // `{json}; {json}`: what stands between calls belongs to them.
        if (this.isBetweenCalls(candidate.start)) {
          this.heldBlanks = ''
          this.skip(candidate.start)
        } else this.handOn(candidate.start)
        let written = this.text.slice(0, length)
        for (const call of calls) {
          this.parts.push({ type: 'call', call, format: current.format, written })
          written = ''
        }
        this.skip(length)
        this.blanks = 'drop-if-last'
        this.atLineStart = true
        this.candidate = undefined
        return true
      }
      candidate.resume = Math.max(candidate.resume, reading.end)
    } else {
      candidate.resume = Math.max(candidate.resume, this.withinMeans(candidate.start, reading))
      if (reading.data === true) candidate.data = true
    }
    candidate.readers.shift()
    return true
  }

  private fits(
    reading: Reading & { kind: 'calls' },
    candidate: OpenCandidate,
    format: string,
  ): RecoveredCall[] | undefined {
    const calls = fitCalls(reading.drafts, this.context.tools)
    if (calls === undefined || this.inner) return calls
    const unmarked = format === 'bare-json' || format === 'bare-call' || format === 'fence'
    return presentsExample(this.textBefore(candidate.start), unmarked) ? undefined : calls
  }

  /**
   * Where to go on behind a candidate that was none. Text that was read in vain may be read again for what is inside
   * it, but not without end: then it is passed over as a whole.
   */
  private withinMeans(start: number, reading: Reading & { kind: 'text' }): number {
    const read = reading.read ?? reading.resume
    this.wasted += read - start
    return this.wasted > 4 * (this.offset + read) + 10_000 ? read : reading.resume
  }

  /** No call: reasoning, structure, or text. */
  private giveUp(candidate: OpenCandidate, final: boolean): boolean {
    const { start } = candidate
    for (const mark of candidate.marks)
      for (const meaning of mark.meanings) {
        const end = start + mark.length
        if (meaning.kind === 'structure') return this.dropMark(start, end)
        if (meaning.kind === 'leftover' && this.isBetweenCalls(start)) return this.dropMark(start, end)
        if (meaning.kind === 'reasoning' && (meaning.tag.place === 'anywhere' || candidate.lineStart)) {
          this.dropMark(start, end)
          this.reasoning = { close: meaning.tag.close, heldFrom: -1 }
          this.hadReasoning = true
          return true
        }
        if (meaning.kind === 'reasoning-end') {
          if (this.text[end] === undefined && !final) return false
          if (this.isMention(start, end)) continue
          this.dropMark(start, end)
          if (!this.hadReasoning) this.parts.push({ type: 'was-reasoning' })
          this.hadReasoning = true
          this.blanks = 'drop'
          return true
        }
      }
    this.candidate = undefined
    if (candidate.isFence === true) {
      this.inFence = true
      this.at = start + 3
      return true
    }
    this.at = candidate.resume
    this.atLineStart = this.previous(this.at, 1) === '\n'
    if (candidate.data && this.data === undefined) this.data = { start, bracket: new BracketEnd(false) }
    return true
  }

  /** A closing tag between blanks, in the middle of a line, is one that someone writes about. */
  private isMention(start: number, end: number): boolean {
    return this.previous(start, 1) === ' ' && /[ .,;:)]/.test(this.text[end] ?? '')
  }

  private dropMark(start: number, end: number): boolean {
    this.handOn(start)
    this.skip(end - start)
    this.candidate = undefined
    this.atLineStart = true
    return true
  }

  /** Within reasoning: everything is, up to its end. A call in it counts only if it never ends. */
  private reason(final: boolean): boolean {
    const reasoning = this.reasoning
    if (reasoning === undefined) return true
    let end = -1
    let length = 0
    for (const close of reasoning.close) {
      const index = this.text.indexOf(close, this.at)
      if (index !== -1 && (end === -1 || index < end)) {
        end = index
        length = close.length
      }
    }
    if (end !== -1) {
      this.handOn(end)
      this.skip(length)
      this.reasoning = undefined
      this.blanks = 'drop'
      this.atLineStart = true
      return true
    }
    const safe = Math.max(this.at, this.text.length - unfinished(this.text, reasoning.close))
    if (reasoning.heldFrom === -1) reasoning.heldFrom = this.firstCallMark(this.at, final)
    if (!final) {
      this.at = safe
      this.settled = reasoning.heldFrom === -1 ? safe : Math.min(safe, reasoning.heldFrom)
      if (reasoning.heldFrom !== -1 && !this.isCallMark(reasoning.heldFrom, final)) {
        this.at = Math.min(this.at, reasoning.heldFrom)
        reasoning.heldFrom = -1
      }
      return false
    }
    return this.endUnclosed(reasoning.heldFrom)
  }

  private endUnclosed(heldFrom: number): boolean {
    this.reasoning = undefined
    if (heldFrom !== -1) {
      const inner = new CallScanner({ tools: this.grammar, inner: true })
      const parts = [...inner.push(this.text.slice(heldFrom)), ...inner.finish()]
      if (parts.some((part) => part.type === 'call')) {
        this.reasoning = { close: [], heldFrom: -1 }
        this.handOn(heldFrom)
        this.reasoning = undefined
        this.parts.push(...parts)
        this.skip(this.text.length)
        return false
      }
    }
    this.reasoning = { close: [], heldFrom: -1 }
    this.handOn(this.text.length)
    return false
  }

  /** Where the mark of a format stands, or may stand, from here on. */
  private firstCallMark(from: number, final: boolean): number {
    notable.lastIndex = from
    for (let match = notable.exec(this.text); match !== null; match = notable.exec(this.text))
      if (match[0] === '<' && this.isCallMark(match.index, final) !== false) return match.index
    return -1
  }

  private isCallMark(index: number, final: boolean): boolean | 'unclear' {
    const marks = this.marks.at(this.text, index, final)
    if (marks === 'unclear') return 'unclear'
    return marks.some((mark) => mark.meanings.some((meaning) => meaning.kind === 'format'))
  }

  private textBefore(index: number): string {
    return index >= kept ? this.text.slice(index - kept, index) : this.before + this.text.slice(0, index)
  }

  /** Hands on the text up to here. */
  private handOn(end: number): void {
    if (end <= 0) return
    const piece = this.text.slice(0, end)
    if (this.reasoning !== undefined) this.parts.push({ type: 'reasoning', text: piece })
    else this.handOnText(piece)
    this.before = piece.length >= kept ? piece.slice(-kept) : (this.before + piece).slice(-kept)
    this.skip(end)
  }

  private heldBlanks = ''

  private handOnText(piece: string): void {
    if (this.blanks === 'keep') {
      this.parts.push({ type: 'text', text: piece })
      return
    }
    const words = this.blanks === 'drop' ? piece.trimStart() : piece.replace(/^[\s;,]+/, '')
    this.heldBlanks += piece.slice(0, piece.length - words.length)
    if (words === '') return
    this.parts.push({ type: 'text', text: this.blanks === 'drop' ? words : this.heldBlanks + words })
    this.heldBlanks = ''
    this.blanks = 'keep'
  }

  /** Forgets the text up to here. */
  private skip(end: number): void {
    // What is forgotten can no longer be read for its brackets.
    this.isData(end)
    this.text = this.text.slice(end)
    this.offset += end
    this.at = Math.max(0, this.at - end)
    this.settled = Math.max(0, this.settled - end)
    if (this.candidate !== undefined) {
      this.candidate.start -= end
      this.candidate.resume -= end
    }
    if (this.data !== undefined) this.data.start -= end
    if (this.reasoning !== undefined && this.reasoning.heldFrom !== -1) this.reasoning.heldFrom -= end
  }
}

/** Braces where no call may stand: only to see whether they hold data. */
const dataReader = {
  format: 'data',
  reader: {
    read({ text, start, final }: { text: string; start: number; final: boolean }): Reading {
      if (!final && /^\{\s*$/.test(text.slice(start, start + 50))) return { kind: 'more' }
      return { kind: 'text', resume: start + 1, data: beginsData(text, start) }
    },
  },
}

/** How many letters at the end of the text could be the beginning of one of these. */
function unfinished(text: string, marks: readonly string[]): number {
  let most = 0
  for (const mark of marks)
    for (let length = Math.min(mark.length - 1, text.length); length > most; length--)
      if (text.endsWith(mark.slice(0, length))) most = length
  return most
}
