import type { Field } from './fields.ts'
import type { PatternNode, SlotForm } from './pattern.ts'
import { longestSlot, readSlot, type SlotValue, textOf } from './slots.ts'
import { isOpaque, type Token } from './tokenise.ts'
import { wordClass } from './vocabulary.ts'

/** What a pattern needs to know about the tool it is matched for. */
export interface PatternFrame {
  fields: ReadonlyMap<string, Field>
  /** The words of each category's things, each as its words in lower case. */
  nouns: ReadonlyMap<string, readonly (readonly string[])[]>
  category: string
  /** Ways to add details behind a request, for `~`. */
  details: readonly (readonly PatternNode[])[]
}

export interface PatternMatch {
  slots: Readonly<Record<string, SlotValue>>
  /** Words that were recognised, rather than taken as somebody's text. The reading that recognises most wins. */
  recognised: number
}

interface State extends PatternMatch {
  at: number
}

const mostMatches = 64

/** All ways in which the pattern explains every word of the clause. */
export function matchPattern(
  nodes: readonly PatternNode[],
  tokens: readonly Token[],
  frame: PatternFrame,
): PatternMatch[] {
  const matches: PatternMatch[] = []
  for (const state of walk(nodes, 0, { at: 0, slots: {}, recognised: 0 }, tokens, frame)) {
    if (state.at === tokens.length && matches.push({ slots: state.slots, recognised: state.recognised }) >= mostMatches)
      break
  }
  return matches
}

function* walk(
  nodes: readonly PatternNode[],
  index: number,
  state: State,
  tokens: readonly Token[],
  frame: PatternFrame,
): Generator<State> {
  const node = nodes[index]
  if (!node) {
    yield state
    return
  }
  for (const next of step(node, state, tokens, frame)) yield* walk(nodes, index + 1, next, tokens, frame)
}

function* step(node: PatternNode, state: State, tokens: readonly Token[], frame: PatternFrame): Generator<State> {
  switch (node.kind) {
    case 'word': {
      const token = tokens[state.at]
      if (token && (token.kind === 'word' || token.kind === 'mark') && token.lower === node.word) {
        yield { ...state, at: state.at + 1, recognised: state.recognised + 1 }
      }
      return
    }
    case 'class':
      yield* walk(wordClass(node.name), 0, state, tokens, frame)
      return
    case 'noun':
      yield* nounAt(node.category, state, tokens, frame)
      return
    case 'choice':
      for (const option of node.options) yield* walk(option, 0, state, tokens, frame)
      if (node.optional) yield state
      return
    case 'set':
      if (!Object.hasOwn(state.slots, node.field)) {
        yield { ...state, slots: { ...state.slots, [node.field]: { kind: 'value', value: node.value } } }
      }
      return
    case 'slot':
      yield* slotAt(node.field, node.form, state, tokens, frame)
      return
    case 'details':
      yield state
      for (const detail of frame.details) {
        for (const next of walk(detail, 0, state, tokens, frame)) {
          if (next.at > state.at) yield* step(node, next, tokens, frame)
        }
      }
  }
}

function* nounAt(category: string, state: State, tokens: readonly Token[], frame: PatternFrame): Generator<State> {
  for (const words of frame.nouns.get(category) ?? []) {
    const isHere = words.every((word, offset) => {
      const token = tokens[state.at + offset]
      return token?.kind === 'word' && token.lower === word
    })
    if (isHere) yield { ...state, at: state.at + words.length, recognised: state.recognised + words.length }
  }
}

function* slotAt(
  fieldName: string,
  form: SlotForm,
  state: State,
  tokens: readonly Token[],
  frame: PatternFrame,
): Generator<State> {
  const field = frame.fields.get(fieldName)
  if (!field || Object.hasOwn(state.slots, fieldName)) return
  const last = Math.min(tokens.length, state.at + longestSlot(field))
  for (let end = state.at + 1; end <= last; end++) {
    const written = tokens.slice(state.at, end)
    const value = isWrittenAs(form, written) ? readSlot(field, written) : undefined
    if (!value) continue
    const recognised = state.recognised + (field.kind === 'choice' || field.kind === 'number' ? end - state.at : 0)
    if (form !== 'with-noun') {
      yield { at: end, slots: { ...state.slots, [fieldName]: value }, recognised }
      continue
    }
    for (const behind of nounAt(`${frame.category}!`, { ...state, at: end, recognised }, tokens, frame)) {
      const name = titled(textOf(tokens.slice(state.at, behind.at)))
      yield { ...behind, slots: { ...state.slots, [fieldName]: { kind: 'value', value: name, isPlain: true } } }
    }
  }
}

function isWrittenAs(form: SlotForm, tokens: readonly Token[]): boolean {
  if (form === 'quoted') return tokens.length === 1 && tokens.every(isOpaque)
  return form !== 'proper' || tokens.every((token) => isOpaque(token) || /^[\p{Lu}\p{N}&+]/u.test(token.text))
}

/** *combat system* → *Combat System*; words with capitals of their own stay as they are. */
function titled(name: string): string {
  return name.replaceAll(/\S+/g, (word) =>
    word === word.toLowerCase() ? word.charAt(0).toUpperCase() + word.slice(1) : word,
  )
}
