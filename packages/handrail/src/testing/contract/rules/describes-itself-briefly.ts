import type { ToolRule } from '../tool-rule.ts'

/** Models read every description on every turn; providers take 1,024 characters, and few words are read better. */
const longestDescription = 400

export const describesItselfBriefly: ToolRule = {
  title: 'describes itself in one or two sentences',
  problems({ tool: { description } }) {
    const problems: string[] = []
    const sentences = description.split(/(?<=[.!?])\s+(?=\p{Lu})/u)
    if (sentences.length > 2)
      problems.push(`the description has ${sentences.length} sentences, at most 2 are read well`)
    if (description.length > longestDescription) {
      problems.push(`the description has ${description.length} characters, ${longestDescription} are enough`)
    }
    if (!/[.!?]$/.test(description)) problems.push('the description does not end as a sentence does')
    if (!/^\p{Lu}/u.test(description)) problems.push('the description does not begin as a sentence does')
    return problems
  },
}
