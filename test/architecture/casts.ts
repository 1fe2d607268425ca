import { codeOf } from './code-of.ts'

export interface Unexplained {
  /** Counted from 1. */
  line: number
  what: 'any' | 'as'
}

/** `import … as …`, `export { a as b }`: names, not casts. Neither is the `as` that renames the keys of a mapped type. */
const renamings =
  /\b(?:import|export)\b\s*(?:type\s+)?(?:[\w$]+\s*,\s*)?(?:\*\s*as\s+[\w$]+|\{[^}]*\})|\[\s*[\w$]+\s+in\b[^;{}\]]*/g
/** An expression's end, `as`, and a type's beginning. */
const cast =
  /(?<=[\w$)\]}'"`>!]\s*)(?<![.\w$])(?<!\b(?:return|case|of|in|const|let|var)\s+)as\b(?=\s+(?!const\b)[\w$({['"`-])/g
/** The type, not a property or a method of that name; `z.any()` is the type again. */
const anyType = /(?<![.\w$])any\b(?!\s*(?:\?\s*:|:|\())|\bz\s*\.\s*any\b/g
/** More than a mark: at least two words. */
const reason = /\p{L}{2,}[\s\S]*?\s\p{L}{2,}/u

/**
 * Every `any` and every `as` that has no reason beside it: a comment on the same line, or one that fills the line before.
 * `as const` and `satisfies` claim nothing the compiler does not check; `<Type>value` is refused by the compiler.
 */
export function unexplained(source: string): Unexplained[] {
  const { code, comments } = codeOf(source)
  const codeLines = code.split('\n')
  const commentLines = comments.split('\n')
  const isExplained = (line: number) =>
    reason.test(commentLines[line - 1] ?? '') ||
    (codeLines[line - 2]?.trim() === '' && /\S/.test(commentLines[line - 2] ?? '') && reason.test(blockAbove(line)))
  const blockAbove = (line: number) => {
    let first = line - 1
    while (first > 0 && codeLines[first - 1]?.trim() === '' && /\S/.test(commentLines[first - 1] ?? '')) first -= 1
    return commentLines.slice(first, line - 1).join('\n')
  }
  const lineAt = (index: number) => code.slice(0, index).split('\n').length
  const find = (pattern: RegExp, what: Unexplained['what'], text: string) =>
    [...text.matchAll(pattern)].map((match) => ({ line: lineAt(match.index), what }))
  const withoutRenamings = code.replace(renamings, (text) => text.replace(/\bas\b/g, '  '))
  return [...find(anyType, 'any', code), ...find(cast, 'as', withoutRenamings)]
    .filter(({ line }, index, all) => !isExplained(line) && all.findIndex((other) => other.line === line) === index)
    .sort((left, right) => left.line - right.line)
}
