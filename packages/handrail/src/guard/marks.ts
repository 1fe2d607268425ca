import { textFormats } from './formats/table.ts'
import { leftovers, type ReasoningTag, reasoningEnds, reasoningTags, structureMarks } from './message-marks.ts'
import type { TextFormat } from './text-format.ts'
import type { ToolIndex } from './tool-index.ts'

/** What a mark in the text may be the beginning of. */
export type MarkMeaning =
  | { kind: 'format'; format: TextFormat }
  | { kind: 'reasoning'; tag: ReasoningTag }
  | { kind: 'reasoning-end' }
  | { kind: 'structure' }
  | { kind: 'leftover' }

interface TrieNode {
  next: Map<number, TrieNode>
  meanings: MarkMeaning[]
}

/** A mark found at some place. */
export interface FoundMark {
  length: number
  meanings: readonly MarkMeaning[]
}

/** All marks, by their letters, so that a place in the text is looked up in as many steps as letters agree. */
export class Marks {
  private readonly root: TrieNode = { next: new Map(), meanings: [] }

  /** @param reasoning whether reasoning and structure are marks too. */
  constructor(tools: ToolIndex, reasoning: boolean) {
    if (tools.names.length > 0)
      for (const format of textFormats)
        for (const mark of format.starts(tools)) this.add(mark, { kind: 'format', format })
    for (const mark of leftovers) this.add(mark, { kind: 'leftover' })
    if (!reasoning) return
    for (const tag of reasoningTags) this.add(tag.open, { kind: 'reasoning', tag })
    for (const end of reasoningEnds) this.add(end, { kind: 'reasoning-end' })
    for (const mark of structureMarks) this.add(mark, { kind: 'structure' })
  }

  /**
   * The marks that stand at a place, the longest first.
   *
   * @returns `unclear` when the text ends where a longer mark could go on.
   */
  at(text: string, start: number, final: boolean): readonly FoundMark[] | 'unclear' {
    let node = this.root
    let found: FoundMark[] | undefined
    for (let index = start; index < text.length; index++) {
      const next = node.next.get(text.charCodeAt(index))
      if (next === undefined) return found ?? nothing
      node = next
      if (node.meanings.length > 0) {
        found ??= []
        found.unshift({ length: index + 1 - start, meanings: node.meanings })
      }
    }
    return final || node.next.size === 0 ? (found ?? nothing) : 'unclear'
  }

  private add(mark: string, meaning: MarkMeaning): void {
    let node = this.root
    for (let index = 0; index < mark.length; index++) {
      const code = mark.charCodeAt(index)
      let next = node.next.get(code)
      if (next === undefined) {
        next = { next: new Map(), meanings: [] }
        node.next.set(code, next)
      }
      node = next
    }
    node.meanings.push(meaning)
  }
}

const nothing: readonly FoundMark[] = []
