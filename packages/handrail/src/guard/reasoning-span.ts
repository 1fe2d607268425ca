import type { Marks } from './marks.ts'
import { unfinished } from './message-window.ts'

const markStart = /<(?=[A-Za-z/]|[|｜][A-Za-z/]|[|｜]?$)/g

/** What is clear about reasoning: that it ends, that all up to `settled` belongs to it, or that it never ended. */
export type ReasoningLook =
  | { kind: 'ended'; end: number; length: number }
  | { kind: 'open'; settled: number }
  | { kind: 'never-ended'; callFrom: number }

/**
 * Reasoning up to its closing tag. Some models call a tool without closing it first, so from the first mark of a call
 * on it is held back: what follows is reasoning if the tag still comes, and else may be that call.
 */
export class ReasoningSpan {
  private readonly close: readonly string[]
  private at = 0
  private heldFrom = -1

  constructor(close: readonly string[]) {
    this.close = close
  }

  look(text: string, marks: Marks, final: boolean): ReasoningLook {
    const ended = this.findEnd(text)
    if (ended !== undefined) return ended
    const safe = Math.max(this.at, text.length - unfinished(text, this.close))
    if (this.heldFrom === -1) this.heldFrom = firstCallMark(text, this.at, marks, final)
    if (final) return { kind: 'never-ended', callFrom: this.heldFrom }
    this.at = safe
    return { kind: 'open', settled: this.heldFrom === -1 ? safe : Math.min(safe, this.heldFrom) }
  }

  /** What was settled is gone. */
  forget(length: number): void {
    this.at = Math.max(0, this.at - length)
    if (this.heldFrom !== -1) this.heldFrom -= length
  }

  /** A mark that only seemed to begin is looked for anew. */
  recheck(text: string, marks: Marks, final: boolean): void {
    if (this.heldFrom === -1 || isCallMark(text, this.heldFrom, marks, final) !== false) return
    this.heldFrom = firstCallMark(text, this.heldFrom + 1, marks, final)
  }

  private findEnd(text: string): ReasoningLook | undefined {
    let found: { kind: 'ended'; end: number; length: number } | undefined
    for (const mark of this.close) {
      const end = text.indexOf(mark, this.at)
      if (end !== -1 && (found === undefined || end < found.end)) found = { kind: 'ended', end, length: mark.length }
    }
    return found
  }
}

function firstCallMark(text: string, from: number, marks: Marks, final: boolean): number {
  markStart.lastIndex = from
  for (let match = markStart.exec(text); match !== null; match = markStart.exec(text))
    if (isCallMark(text, match.index, marks, final) !== false) return match.index
  return -1
}

function isCallMark(text: string, index: number, marks: Marks, final: boolean): boolean | 'unclear' {
  const found = marks.at(text, index, final)
  if (found === 'unclear') return 'unclear'
  return found.some((mark) => mark.meanings.some((meaning) => meaning.kind === 'format'))
}
