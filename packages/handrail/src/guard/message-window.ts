const kept = 240
const quotes = '`"\'“”‘’«»„'

/** The part of a message that is not yet handed on, and the last letters of what was. */
export class MessageWindow {
  text = ''
  /** How many characters were handed on before `text`. */
  offset = 0
  private before = ''
  /** Pieces that are not yet worth looking at. */
  private waiting: string[] = []
  private waitingLength = 0
  private copied = 0

  /**
   * Adds a piece.
   *
   * @returns whether it is time to look. Joining a long held text for each small piece would copy it again and again,
   * so a text that was copied often enough waits until it has grown by a part.
   */
  add(piece: string): boolean {
    this.waiting.push(piece)
    this.waitingLength += piece.length
    const received = this.offset + this.text.length + this.waitingLength
    const copiedOften = this.copied + this.text.length > 32 * received + 65_536
    return !copiedOften || this.waitingLength >= this.text.length / 16
  }

  join(): void {
    this.copied += this.text.length
    this.text += this.waiting.length === 1 ? this.waiting[0] : this.waiting.join('')
    this.waiting = []
    this.waitingLength = 0
  }

  /** The letter so many places before this one; empty before the first. */
  previous(index: number, back = 1): string {
    return index >= back ? this.text.charAt(index - back) : this.before.charAt(this.before.length - (back - index))
  }

  /** Up to 240 characters, or more, that stand before this place. */
  textBefore(index: number): string {
    return index >= kept ? this.text.slice(index - kept, index) : this.before + this.text.slice(0, index)
  }

  isQuoted(index: number): boolean {
    const previous = this.previous(index)
    return previous !== '' && quotes.includes(previous)
  }

  /** Takes the text up to here away. It stays what stands before the rest if it was words, not a call. */
  take(end: number, words: boolean): string {
    const piece = this.text.slice(0, end)
    if (words) this.before = piece.length >= kept ? piece.slice(-kept) : (this.before + piece).slice(-kept)
    this.text = this.text.slice(end)
    this.offset += end
    return piece
  }
}

/** How many letters at the end of a text could be the beginning of one of these. */
export function unfinished(text: string, marks: readonly string[]): number {
  let most = 0
  for (const mark of marks)
    for (let length = Math.min(mark.length - 1, text.length); length > most; length--)
      if (text.endsWith(mark.slice(0, length))) most = length
  return most
}
