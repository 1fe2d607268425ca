import type { PatternFrame } from './match-pattern.ts'
import type { PatternNode } from './pattern.ts'
import { wordClass } from './vocabulary.ts'

/**
 * The words that a pattern can begin with; undefined when it can begin with somebody's own. Saves trying the hundreds of
 * patterns that cannot fit.
 */
export function firstWords(
  nodes: readonly PatternNode[],
  frame: Pick<PatternFrame, 'nouns'>,
): ReadonlySet<string> | undefined {
  const { words, isOpen, isEmpty } = begin(nodes, frame)
  return isOpen || isEmpty ? undefined : words
}

interface Beginning {
  words: ReadonlySet<string>
  /** Can it begin with any word at all? */
  isOpen: boolean
  /** Can it match nothing? */
  isEmpty: boolean
}

function begin(nodes: readonly PatternNode[], frame: Pick<PatternFrame, 'nouns'>): Beginning {
  const words = new Set<string>()
  for (const node of nodes) {
    const first = beginNode(node, frame)
    for (const word of first.words) words.add(word)
    if (first.isOpen) return { words, isOpen: true, isEmpty: false }
    if (!first.isEmpty) return { words, isOpen: false, isEmpty: false }
  }
  return { words, isOpen: false, isEmpty: true }
}

function beginNode(node: PatternNode, frame: Pick<PatternFrame, 'nouns'>): Beginning {
  switch (node.kind) {
    case 'word':
      return { words: new Set([node.word]), isOpen: false, isEmpty: false }
    case 'class':
      return begin(wordClass(node.name), frame)
    case 'noun': {
      const nouns = frame.nouns.get(node.category) ?? []
      return { words: new Set(nouns.flatMap(([word]) => word ?? [])), isOpen: false, isEmpty: false }
    }
    case 'choice': {
      const options = node.options.map((option) => begin(option, frame))
      return {
        words: new Set(options.flatMap(({ words }) => [...words])),
        isOpen: options.some(({ isOpen }) => isOpen),
        isEmpty: node.optional || options.some(({ isEmpty }) => isEmpty),
      }
    }
    case 'set':
      return { words: new Set(), isOpen: false, isEmpty: true }
    case 'slot':
    case 'details':
      return { words: new Set(), isOpen: true, isEmpty: true }
  }
}
