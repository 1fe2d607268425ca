import { ownList } from './fields.ts'
import { Lists } from './lists.ts'
import { nounsOf, type OfferedTool } from './offered-tools.ts'
import { type Ending, makeCalls } from './plan.ts'
import { normal, type ReferenceHint, titleOf } from './resolve-names.ts'
import { nounOf } from './resolve-references.ts'
import type { Row } from './rows.ts'
import type { Token } from './tokenise.ts'
import type { PastCall, PlannedCall } from './transcript.ts'
import { isWriteWord, moodWords, politeEdges, stopWords } from './vocabulary.ts'

const inquiryStart =
  /^(what|which|who|whose|how|where|is|are|was|were|do|does|did|can|could|would|will|has|have|any|anything|tell|show|give|list|explain|describe|display|let|welche|welcher|welches|was|wie|wer|gibt|zeig|zeige|nenne)$/
const denials = /^(not|no|never|without|don't|doesn't|isn't|aren't|didn't|except|nicht|kein|keine|ohne|why|warum)$/
const mostUnexplained = 2

interface Candidate {
  tool: OfferedTool
  input: Record<string, unknown>
  title: string
  score: number
  unexplained: number
}

/** Does the message ask for something to be shown? Only such a message is ever answered by the nearest read. */
export function isInquiry(tokens: readonly Token[]): boolean {
  const words = tokens.filter(({ kind }) => kind === 'word').map(({ lower }) => lower)
  const { from } = politeEdges(words)
  const isQuestion = tokens.at(-1)?.text === '?'
  return (
    words.length > 0 &&
    words.length <= 30 &&
    (isQuestion || inquiryStart.test(words[from] ?? '')) &&
    !words.some((word) => denials.test(word)) &&
    !tokens.some(({ kind }) => kind === 'tail')
  )
}

/**
 * Answers a question that fits no pattern with the read it is nearest to, by its nouns, its keywords and the names of
 * things in it. Gives nothing when two reads are equally near, or when too much of the question stays unexplained. Never
 * a write.
 */
export function* nearestRead(
  tokens: readonly Token[],
  tools: readonly OfferedTool[],
): Generator<PlannedCall[], Ending | undefined, PastCall[]> {
  const words = normal(tokens.map(({ lower }) => lower).join(' '))
    .split(' ')
    .filter((word) => word !== '')
  const reads = tools.filter(
    ({ kind, fields, target }) => kind === 'read' && fields.every((field) => !field.required || field === target),
  )
  const named = reads.filter((tool) => tool.target?.required && hintOf(tool) !== undefined)
  const lists = new Lists(tools)
  const mayBeNames = words.filter(
    (word) =>
      !stopWords.has(word) &&
      !moodWords.has(word) &&
      !isWriteWord(word) &&
      !reads.some((tool) => isNoun(word, tool) || isKeyword(word, tool)),
  )
  if (mayBeNames.length > 0)
    yield* lists.read(named.map((tool) => ({ tool, listTool: hintOf(tool)?.listTool ?? '', scopeId: undefined })))

  const candidates = reads.flatMap((tool) => candidateFor(tool, words, lists))
  const best = Math.max(0, ...candidates.map(({ score }) => score))
  const [nearest, another] = candidates.filter(({ score }) => score === best)
  if (!nearest || another || nearest.unexplained > mostUnexplained) return undefined
  const summary = `${nearest.tool.plainName.replaceAll('_', ' ')} ${nearest.title}`.trim()
  const { done, stopped } = yield* makeCalls([{ tool: nearest.tool, input: nearest.input, summary }])
  return {
    done,
    stopped:
      nearest.unexplained > 0 && stopped === undefined
        ? 'I am not sure that I understood every word of your question; this is the nearest I can show.'
        : stopped,
  }
}

function candidateFor(tool: OfferedTool, words: readonly string[], lists: Lists): Candidate[] {
  const explained = new Set(words.filter((word) => stopWords.has(word) || moodWords.has(word)))
  const nouns = words.filter((word) => isNoun(word, tool))
  const keywords = words.filter((word) => isKeyword(word, tool))
  for (const word of [...nouns, ...keywords]) explained.add(word)
  // With a verb of change in it, only a tool that is about changes may answer.
  if (words.some(isWriteWord) && keywords.length === 0) return []
  const input: Record<string, unknown> = {}
  let score = keywords.length * 3 + (nouns.length > 0 ? 2 : 0)
  for (const field of tool.fields) {
    const choice =
      field.kind === 'choice'
        ? field.choices.find(({ words: said }) => said.some((phrase) => holdsPhrase(words, phrase)))
        : undefined
    if (!choice) continue
    input[field.name] = choice.value
    score += 1
    for (const phrase of choice.words) for (const word of phrase.split(' ')) explained.add(word)
  }
  const hint = hintOf(tool)
  if (!tool.target?.required || !hint) {
    if (score < 2) return []
    return [
      {
        tool,
        input,
        title: '',
        score: score + (tool.name.startsWith('list_') && nouns.some((noun) => isPlural(noun, tool)) ? 1 : 0),
        unexplained: countUnexplained(words, explained),
      },
    ]
  }
  const list = lists.rows(tool, hint.listTool, undefined)
  const rows = typeof list === 'string' ? [] : list.rows
  const spotted = rows.flatMap((row) => spot(row, hint, tool, words))
  const longest = Math.max(0, ...spotted.map(({ length }) => length))
  const [only, another] = spotted.filter(({ length }) => length === longest)
  if (!only || another) return []
  for (const word of only.words) explained.add(word)
  for (const word of nounOf(hint, tool).split(' ')) explained.add(word)
  return [
    {
      tool,
      input: { ...input, [tool.target.name]: only.row[hint.idField] },
      title: `"${titleOf(only.row, hint)}"`,
      score: score + 2 + only.length,
      unexplained: countUnexplained(words, explained),
    },
  ]
}

/** Is the thing's name in the message, whole or without its noun? */
function spot(
  row: Row,
  hint: ReferenceHint,
  tool: OfferedTool,
  words: readonly string[],
): { row: Row; words: string[]; length: number }[] {
  const nouns = (nounsOf(tool.phrases).get(hint.category) ?? []).map((noun) => noun.join(' '))
  const names = hint.nameFields.flatMap((field) => (typeof row[field] === 'string' ? [normal(row[field])] : []))
  const forms = names.flatMap((name) => [
    name,
    ...nouns.filter((noun) => name.endsWith(` ${noun}`)).map((noun) => name.slice(0, -noun.length - 1)),
  ])
  const found = forms
    .filter((form) => form.length > 2 && !stopWords.has(form) && holdsPhrase(words, form))
    .sort((one, other) => other.length - one.length)[0]
  return found === undefined ? [] : [{ row, words: found.split(' '), length: found.split(' ').length }]
}

function holdsPhrase(words: readonly string[], phrase: string): boolean {
  return ` ${words.join(' ')} `.includes(` ${phrase.toLowerCase()} `)
}

function countUnexplained(words: readonly string[], explained: ReadonlySet<string>): number {
  return words.filter((word) => !explained.has(word)).length
}

function isNoun(word: string, tool: OfferedTool): boolean {
  return (nounsOf(tool.phrases).get(tool.category) ?? []).some((noun) => noun.some((part) => isAlike(word, part)))
}

function isPlural(word: string, tool: OfferedTool): boolean {
  return (nounsOf(tool.phrases).get(`${tool.category}*`) ?? []).some((noun) => isAlike(word, noun.at(-1) ?? ''))
}

function isKeyword(word: string, tool: OfferedTool): boolean {
  return ownList(tool.phrases.keywords, tool.plainName).some((keyword) => isAlike(word, keyword))
}

/** The same word, or one slip of the keyboard in a long one. */
function isAlike(word: string, known: string): boolean {
  if (word === known) return true
  if (Math.min(word.length, known.length) < 5 || Math.abs(word.length - known.length) > 1) return false
  let start = 0
  while (start < word.length && word[start] === known[start]) start++
  const [left, right] = [word.slice(start), known.slice(start)]
  if (left.slice(1) === right.slice(1) || left.slice(1) === right || left === right.slice(1))
    return left.slice(1).length > 0 || word.length > 5
  return left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2)
}

function hintOf(tool: OfferedTool): ReferenceHint | undefined {
  return tool.target && tool.phrases.references?.[tool.target.name]
}
