import type { CallDraft } from './bodies/call-draft.ts'
import type { ScannedPart } from './scanned-part.ts'
import { type CallReader, more, type Reading, type ReadingAt } from './text-format.ts'

const languages =
  /^(?:|json5?|jsonc|tool|tool_calls?|tool_code|tool_use|tools|function|functions|function_calls?|xml|python|py|text|plaintext|action)$/

export interface InsideScanner {
  push(piece: string): ScannedPart[]
  finish(truncated?: boolean): ScannedPart[]
}

/** Reads a Markdown fence: all of it is calls, or none of it is. */
export class FenceReader implements CallReader {
  private readonly scanner: InsideScanner
  private fed: number
  private readonly drafts: CallDraft[] = []

  /**
   * @param bodyStart how far behind the fence's first letter its inside begins.
   * @param scanner takes the inside apart.
   */
  constructor(bodyStart: number, scanner: InsideScanner) {
    this.fed = bodyStart
    this.scanner = scanner
  }

  /** @param info what stands behind the three backticks. */
  static mayHoldCalls(info: string): boolean {
    return languages.test(info.trim().toLowerCase())
  }

  read({ text, start, final, truncated }: ReadingAt): Reading {
    const bodyStart = start + this.fed
    const close = text.startsWith('```', bodyStart) ? bodyStart : closingFence(text, bodyStart)
    const end = close === -1 ? text.length : close
    // The fence's end may be arriving: three letters less than there are.
    const safe = close === -1 && !final ? Math.max(bodyStart, text.length - 4) : end
    const clean = this.feed(text.slice(bodyStart, safe))
    this.fed = safe - start
    const none: Reading = { kind: 'text', resume: start + 3 }
    if (!clean) return none
    if (close === -1 && !final) return more
    if (!this.take(this.scanner.finish(truncated)) || this.drafts.length === 0) return none
    const behind = close === -1 ? text.length : text.startsWith('\n', close) ? close + 4 : close + 3
    return { kind: 'calls', end: Math.min(behind, text.length), drafts: this.drafts }
  }

  private feed(piece: string): boolean {
    return this.take(this.scanner.push(piece))
  }

  private take(parts: readonly ScannedPart[]): boolean {
    for (const part of parts) {
      if (part.type === 'call')
        this.drafts.push({
          name: part.call.name,
          arguments: { kind: 'values', value: part.call.arguments },
          certainty: 'clean',
        })
      else if (part.type !== 'text' || part.text.trim() !== '') return false
    }
    return true
  }
}

function closingFence(text: string, from: number): number {
  return text.indexOf('\n```', from)
}
