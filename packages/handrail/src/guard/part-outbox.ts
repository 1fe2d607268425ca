import type { RecoveredCall } from './fit/fit-call.ts'
import type { ScannedPart } from './scanned-part.ts'

/**
 * Collects the parts of a message. Blanks behind a call or behind reasoning are held until something follows: between
 * calls and at the end they are nobody's words.
 */
export class PartOutbox {
  private parts: ScannedPart[] = []
  private behind: 'words' | 'call' | 'reasoning' = 'words'
  private held = ''

  text(piece: string): void {
    if (piece === '') return
    if (this.behind === 'words') {
      this.parts.push({ type: 'text', text: piece })
      return
    }
    const words = this.behind === 'reasoning' ? piece.trimStart() : piece.replace(/^[\s;,]+/, '')
    if (this.behind === 'call') this.held += piece.slice(0, piece.length - words.length)
    if (words === '') return
    this.parts.push({ type: 'text', text: this.held + words })
    this.held = ''
    this.behind = 'words'
  }

  reasoning(piece: string): void {
    if (piece !== '') this.parts.push({ type: 'reasoning', text: piece })
  }

  reasoningEnded(): void {
    this.behind = 'reasoning'
    this.held = ''
  }

  wasReasoning(): void {
    this.parts.push({ type: 'was-reasoning' })
  }

  /** @param written the text they were found in. */
  calls(calls: readonly RecoveredCall[], format: string, written: string): void {
    for (const [index, call] of calls.entries())
      this.parts.push({ type: 'call', call, format, written: index === 0 ? written : '' })
    this.behind = 'call'
    this.held = ''
  }

  /** Whether there are only blanks and separators between the last call and what stands behind this text. */
  isBetweenCalls(text: string): boolean {
    return this.behind === 'call' && /^[\s;,]*$/.test(text)
  }

  add(parts: readonly ScannedPart[]): void {
    this.parts.push(...parts)
  }

  take(): ScannedPart[] {
    const { parts } = this
    this.parts = []
    return parts
  }
}
