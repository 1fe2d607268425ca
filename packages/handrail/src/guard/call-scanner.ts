import { BracketEnd } from './bracket-end.ts'
import { type Candidate, dataReader, isPlainBracket, isRepeated, mayStand } from './candidate.ts'
import { presentsExample } from './example-text.ts'
import { FenceReader } from './fence-reader.ts'
import { fitCalls } from './fit/fit-call.ts'
import { type GuardGrammar, guardGrammar } from './guard-grammar.ts'
import { repairAllowance } from './json/repair-allowance.ts'
import type { FoundMark, Marks } from './marks.ts'
import { MessageWindow, unfinished } from './message-window.ts'
import { PartOutbox } from './part-outbox.ts'
import { ReasoningSpan } from './reasoning-span.ts'
import type { ScannedPart } from './scanned-part.ts'
import type { Reading, ReadingContext } from './text-format.ts'
import type { GuardTool } from './tool-index.ts'

export interface CallScannerOptions {
  /** What the model was offered: a list, or what `guardGrammar` made of it. */
  tools: readonly GuardTool[] | GuardGrammar
  /** The message begins within reasoning: the prompt ends with an opening tag. */
  startsInReasoning?: boolean
  /** It is the inside of a fence: no fences, examples or reasoning in it. */
  inner?: boolean
}

/** Where something may begin; the look ahead keeps rows of brackets from being looked at one by one. */
const notable = /<(?=[A-Za-z/]|[|｜][A-Za-z/]|[|｜]?$)|\[(?=[A-Za-z/_\s]|\{[\s"'a-z_/]|\{?$)|\{(?=[\s"'a-z_/]|$)|\n|◁/g
const fenceEnd = '\n```'
const longestFenceLine = 60
const openedByPrompt = ['</think>', '</thinking>', '[/THINK]', '<|END_THINKING|>']

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
  private readonly window = new MessageWindow()
  private readonly outbox = new PartOutbox()
  /** Up to here the text is no part of a call; it is handed on when the look ends. */
  private settled = 0
  private at = 0
  private atLineStart = true
  private candidate: Candidate | undefined
  /** JSON that is an answer, and how far its brackets are read. */
  private data: { start: number; bracket: BracketEnd } | undefined
  private inFence = false
  private reasoning: ReasoningSpan | undefined
  private hadReasoning = false
  private wasted = 0

  constructor({ tools, startsInReasoning = false, inner = false }: CallScannerOptions) {
    this.grammar = 'marks' in tools ? tools : guardGrammar(tools)
    this.context = { tools: this.grammar.tools, repairs: repairAllowance() }
    this.inner = inner
    this.marks = inner ? this.grammar.innerMarks : this.grammar.marks
    if (startsInReasoning) this.beginReasoning(openedByPrompt)
  }

  /** How many characters were looked at so far, those twice that were looked at in vain before. */
  get charactersRead(): number {
    return this.window.offset + this.window.text.length + this.wasted
  }

  /** @returns what is clear by now. */
  push(piece: string): ScannedPart[] {
    return piece !== '' && this.window.add(piece) ? this.look(false, false) : []
  }

  /**
   * @param truncated the model was cut off: a call that is not closed is none.
   * @returns what was held back.
   */
  finish(truncated = false): ScannedPart[] {
    return this.look(true, truncated)
  }

  private look(final: boolean, truncated: boolean): ScannedPart[] {
    this.window.join()
    while (this.step(final, truncated));
    this.handOn(final ? this.window.text.length : this.settled)
    return this.outbox.take()
  }

  /** One step on; false when there is nothing more to do with what is there. */
  private step(final: boolean, truncated: boolean): boolean {
    if (this.reasoning !== undefined) return this.reason(this.reasoning, final, truncated)
    if (this.inFence) return this.skipFence()
    if (this.candidate !== undefined) return this.follow(this.candidate, final, truncated)
    if (this.atLineStart) {
      const begun = this.beginLine(final)
      if (begun !== undefined) return begun
    }
    notable.lastIndex = this.at
    const match = notable.exec(this.window.text)
    if (match === null) {
      this.settle(this.window.text.length)
      return false
    }
    this.at = match.index
    if (match[0] !== '\n') return this.beginAt(this.at, final)
    this.at++
    this.atLineStart = true
    return true
  }

  private settle(index: number): void {
    this.at = index
    this.settled = index
  }

  /** Looks for what may only stand at the start of a line. Nothing when the line is ordinary. */
  private beginLine(final: boolean): boolean | undefined {
    const { text } = this.window
    let index = this.at
    while (index < text.length && ' \t\r\n'.includes(text.charAt(index))) index++
    this.settle(index)
    const letter = text[index]
    if (letter === undefined) return false
    if (letter === '`' && !this.inner) {
      const fence = text.slice(index, index + 3)
      if (fence === '```') return this.beginFence(index, final)
      if ('```'.startsWith(fence) && !final) return false
    }
    if ('<[{◁'.includes(letter)) return undefined
    if (!this.beginAt(index, final)) return false
    if (this.candidate === undefined) this.at = index
    this.atLineStart = false
    return true
  }

  private beginFence(index: number, final: boolean): boolean {
    const { text } = this.window
    const lineEnd = text.indexOf('\n', index)
    if (lineEnd === -1 && !final && text.length - index < longestFenceLine) return false
    const info = lineEnd === -1 ? undefined : text.slice(index + 3, lineEnd)
    this.atLineStart = false
    const mayHoldCalls = info !== undefined && this.context.tools.names.length > 0 && FenceReader.mayHoldCalls(info)
    if (!mayHoldCalls || presentsExample(this.window.textBefore(index), true)) {
      this.inFence = true
      this.settle(lineEnd === -1 ? index + 3 : lineEnd)
      return true
    }
    const inside = new CallScanner({ tools: this.grammar, inner: true })
    const reader = { format: 'fence', reader: new FenceReader(lineEnd + 1 - index, inside) }
    const common = { marks: [], resume: index + 3, data: false, lineStart: true, isFence: true }
    this.candidate = { start: index, readers: [reader], ...common }
    return true
  }

  private skipFence(): boolean {
    const { text } = this.window
    const end = text.indexOf(fenceEnd, this.at)
    if (end === -1) {
      this.settle(Math.max(this.at, text.length - unfinished(text, [fenceEnd])))
      return false
    }
    this.inFence = false
    this.settle(end + fenceEnd.length)
    return true
  }

  /** Opens what may begin here. False when that is not clear yet; then the text is held back from here. */
  private beginAt(index: number, final: boolean): boolean {
    const { text } = this.window
    const plain = isPlainBracket(text, index, this.context.tools, final)
    if (plain !== false) {
      if (plain === 'data' && !this.isData(index)) this.beginData(index)
      return this.passOver(index + 1)
    }
    const marks = this.marks.at(text, index, final)
    if (marks === 'unclear') {
      this.settled = index
      return false
    }
    const longest = marks[0]
    if (longest === undefined) return this.passOver(index + 1)
    if (isRepeated(text, index, longest)) return this.passOver(index + longest.length)
    this.candidate = this.candidateAt(index, marks)
    this.settled = index
    return true
  }

  private passOver(index: number): boolean {
    this.at = index
    this.atLineStart = false
    return true
  }

  private candidateAt(index: number, marks: readonly FoundMark[]): Candidate {
    const { text } = this.window
    const quoted = this.window.isQuoted(index)
    const isData = this.isData(index)
    const isDataText = isData && this.data?.bracket.inString === true
    const lineStart = this.atLineStart || this.outbox.isBetweenCalls(text.slice(0, index))
    const inLine = !lineStart && this.window.previous(index) === ' '
    const candidate: Candidate = {
      start: index,
      readers: [],
      marks: quoted ? [] : marks,
      resume: index + 1,
      data: false,
      lineStart,
      isFence: false,
    }
    for (const mark of marks)
      for (const meaning of mark.meanings) {
        if (meaning.kind !== 'format') continue
        const { format } = meaning
        const blocked = quoted || isDataText || (isData && mark.length === 1)
        if (!blocked && mayStand(format, this.window, index, lineStart)) {
          const reader = format.open(text.slice(index, index + mark.length), this.context, inLine)
          candidate.readers.push({ format: format.name, reader })
        } else if (format.name === 'bare-json' && text[index] === '{') candidate.readers.push(dataReader)
      }
    return candidate
  }

  /** Whether this place is inside JSON that is an answer, not a call. */
  private isData(index: number): boolean {
    if (this.data === undefined) return false
    if (this.data.bracket.find(this.window.text, this.data.start, index) === undefined) return true
    this.data = undefined
    return false
  }

  private beginData(start: number): void {
    this.data ??= { start, bracket: new BracketEnd(false) }
  }

  private follow(candidate: Candidate, final: boolean, truncated: boolean): boolean {
    const current = candidate.readers[0]
    if (current === undefined) return this.giveUp(candidate, final)
    const { text } = this.window
    const reading = current.reader.read({ text, start: candidate.start, final, truncated })
    if (reading.kind === 'more') return false
    if (reading.kind === 'calls') {
      if (this.recover(reading, candidate, current.format)) return true
      candidate.resume = Math.max(candidate.resume, reading.end)
    } else {
      candidate.resume = Math.max(candidate.resume, this.withinMeans(candidate.start, reading))
      if (reading.data === true) candidate.data = true
    }
    candidate.readers.shift()
    return true
  }

  /** False when what was read is no call of an offered tool, or an example of one. */
  private recover(reading: Reading & { kind: 'calls' }, { start }: Candidate, format: string): boolean {
    const calls = fitCalls(reading.drafts, this.context.tools)
    if (calls === undefined) return false
    const unmarked = format === 'bare-json' || format === 'bare-call' || format === 'fence'
    if (!this.inner && presentsExample(this.window.textBefore(start), unmarked)) return false
    this.candidate = undefined
    const written = this.window.text.slice(start, reading.end)
    // `{json}; {json}`: what stands between calls belongs to them.
    if (this.outbox.isBetweenCalls(this.window.text.slice(0, start))) this.forget(start)
    else this.handOn(start)
    this.outbox.calls(calls, format, written)
    this.forget(written.length)
    this.atLineStart = true
    return true
  }

  /**
   * Where to go on behind a candidate that was none. Text that was read in vain may be read again for what is inside
   * it, but not without end: then it is passed over as a whole.
   */
  private withinMeans(start: number, reading: Reading & { kind: 'text' }): number {
    const read = reading.read ?? reading.resume
    this.wasted += read - start
    return this.wasted > 2 * (this.window.offset + read) + 10_000 ? read : reading.resume
  }

  /** No call: reasoning, structure, or text. */
  private giveUp(candidate: Candidate, final: boolean): boolean {
    const { start } = candidate
    for (const mark of candidate.marks)
      for (const meaning of mark.meanings) {
        const end = start + mark.length
        if (meaning.kind === 'structure') return this.dropMark(start, end)
        if (meaning.kind === 'leftover' && this.outbox.isBetweenCalls(this.window.text.slice(0, start)))
          return this.dropMark(start, end)
        if (meaning.kind === 'reasoning' && (meaning.tag.place === 'anywhere' || candidate.lineStart)) {
          this.dropMark(start, end)
          this.beginReasoning(meaning.tag.close)
          return true
        }
        if (meaning.kind === 'reasoning-end') {
          if (this.window.text[end] === undefined && !final) return false
          if (this.isMention(start, end)) continue
          this.dropMark(start, end)
          if (!this.hadReasoning) this.outbox.wasReasoning()
          this.hadReasoning = true
          this.outbox.reasoningEnded()
          return true
        }
      }
    this.candidate = undefined
    if (candidate.isFence) {
      this.inFence = true
      this.at = start + 3
      return true
    }
    this.at = candidate.resume
    this.atLineStart = this.window.previous(this.at) === '\n'
    if (candidate.data) this.beginData(start)
    return true
  }

  /** A closing tag between blanks, in the middle of a line, is one that someone writes about. */
  private isMention(start: number, end: number): boolean {
    return this.window.previous(start) === ' ' && /[ .,;:)]/.test(this.window.text[end] ?? '')
  }

  private dropMark(start: number, end: number): boolean {
    this.candidate = undefined
    this.handOn(start)
    this.forget(end - start)
    this.atLineStart = true
    return true
  }

  private beginReasoning(close: readonly string[]): void {
    this.reasoning = new ReasoningSpan(close)
    this.hadReasoning = true
  }

  /** Within reasoning: everything is, up to its end. A call in it counts only if it never ends. */
  private reason(span: ReasoningSpan, final: boolean, truncated: boolean): boolean {
    span.recheck(this.window.text, this.marks, final)
    const look = span.look(this.window.text, this.marks, final)
    if (look.kind === 'open') {
      this.settled = look.settled
      return false
    }
    if (look.kind === 'never-ended') {
      this.endUnclosed(look.callFrom, truncated)
      return false
    }
    this.handOn(look.end)
    this.reasoning = undefined
    this.forget(look.length)
    this.outbox.reasoningEnded()
    this.atLineStart = true
    return true
  }

  private endUnclosed(callFrom: number, truncated: boolean): void {
    const { text } = this.window
    if (callFrom !== -1) {
      const inside = new CallScanner({ tools: this.grammar, inner: true })
      const parts = [...inside.push(text.slice(callFrom)), ...inside.finish(truncated)]
      if (parts.some((part) => part.type === 'call')) {
        this.handOn(callFrom)
        this.outbox.add(parts)
        this.forget(text.length - callFrom)
        return
      }
    }
    this.handOn(text.length)
  }

  /** Hands on the text up to here. */
  private handOn(end: number): void {
    if (end <= 0) return
    const piece = this.forget(end, true)
    if (this.reasoning === undefined) this.outbox.text(piece)
    else this.outbox.reasoning(piece)
  }

  /** Takes the text up to here away, and moves every place in it. */
  private forget(end: number, words = false): string {
    // What is gone can no longer be read for its brackets.
    this.isData(end)
    this.at = Math.max(0, this.at - end)
    this.settled = Math.max(0, this.settled - end)
    if (this.candidate !== undefined) {
      this.candidate.start -= end
      this.candidate.resume -= end
    }
    if (this.data !== undefined) this.data.start -= end
    this.reasoning?.forget(end)
    return this.window.take(end, words)
  }
}
