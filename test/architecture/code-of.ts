export interface CodeOf {
  /** The source with comments, texts and regular expressions blanked: same length, same lines. Quotes stay. */
  code: string
  /** The source with everything but its comments blanked. */
  comments: string
}

/** After one of these a slash begins a regular expression; after anything else it divides. */
const beforeRegex = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|void|delete|await|throw|yield))\s*$/
const lineComment = /\/\/.*/y
const blockComment = /\/\*[\s\S]*?\*\//y
const regex = /\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const textPatterns: Record<string, RegExp> = {
  "'": /'(?:[^\\'\n]|\\[\s\S])*'/y,
  '"': /"(?:[^\\"\n]|\\[\s\S])*"/y,
  '/': regex,
}
/** From a backtick, or from the brace that closes an expression, to the template's end or its next expression. */
const templateText = /[`}](?:[^\\`$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y

/**
 * Tells code from what only looks like it: comments, quoted texts, templates (over several lines; what stands in `${}`
 * is code) and regular expressions.
 *
 * @example
 * codeOf("const text = 'as any' // any text").code // "const text = '      '            "
 */
export function codeOf(source: string): CodeOf {
  const code = source.split('')
  const comments = source.replace(/[^\n]/g, ' ').split('')
  /** For each template whose expression we are in: how many braces are open within it. */
  const openBraces: number[] = []
  let at = 0

  const blank = (from: number, until: number) => {
    for (let index = from; index < until; index += 1) if (code[index] !== '\n') code[index] = ' '
  }
  const lengthOf = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0].length ?? 0
  }
  const beginsRegex = () => beforeRegex.test(code.slice(Math.max(0, at - 80), at).join(''))
  /** Blanks what begins here, and says how long it is. */
  const skip = (character: string): number => {
    const comment = character === '/' ? lengthOf(lineComment) || lengthOf(blockComment) : 0
    if (comment > 0) {
      for (let index = at; index < at + comment; index += 1) comments[index] = source.charAt(index)
      blank(at, at + comment)
      return comment
    }
    const pattern = textPatterns[character]
    const text = pattern === undefined || (pattern === regex && !beginsRegex()) ? 0 : lengthOf(pattern)
    if (text > 0) {
      blank(at + 1, at + text - 1)
      return text
    }
    const braces = openBraces.at(-1)
    if (character === '`' || (character === '}' && braces === 0)) {
      const length = lengthOf(templateText)
      const opens = source.charAt(at + length - 1) === '{'
      blank(at + 1, at + length - (opens ? 2 : 1))
      if (character === '}') openBraces.pop()
      if (opens) openBraces.push(0)
      return length
    }
    if (braces !== undefined && character === '{') openBraces[openBraces.length - 1] = braces + 1
    if (braces !== undefined && character === '}') openBraces[openBraces.length - 1] = braces - 1
    return 1
  }

  while (at < source.length) at += Math.max(1, skip(source.charAt(at)))
  return { code: code.join(''), comments: comments.join('') }
}
