import type { Misunderstanding } from './clauses.ts'
import type { OfferedTool } from './offered-tools.ts'
import { missingFields, readIncomplete } from './read-clause.ts'
import { textOf } from './slots.ts'
import { isOpaque, type Token, tokenise } from './tokenise.ts'
import { politeEdges } from './vocabulary.ts'

const whatItIs =
  "I am Handrail's offline interpreter, not a language model: I match simple requests in words to tools, or say that I did not understand."

const negations =
  /^(not|no|never|neither|nor|none|nothing|nobody|without|dont|cannot|.+n't|nicht|nie|niemals|kein|keine|keinen|keiner|ohne)$/
const conditions = /^(if|unless|until|when|whenever|whether|once|wenn|falls|ob|sobald|bevor)$/
const questions =
  /^(what|which|why|how|who|whom|whose|where|is|are|was|were|do|does|did|can|could|should|would|will|may|might|shall|must|warum|wie|wer|was|welche|soll|sollte|würde|könnte)$/

/** How to get a language model instead, unless the application says it in its own words. */
export const defaultModelHint =
  'For a language model, set an API key in the environment and start again: AI_GATEWAY_API_KEY, OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY; or HANDRAIL_MODEL, like `ollama/qwen3`, with HANDRAIL_BASE_URL for any OpenAI-compatible server.'

/** What the interpreter is, how to get a model, and three sentences that work with the offered tools. */
export function introduction(tools: readonly OfferedTool[], modelHint: string): string {
  const examples = examplesFor(tools, 3)
  const lines =
    examples.length > 0
      ? ['', 'You can say, for example:', ...examples.map((example) => `- ${example}`)]
      : ['', 'No tools are available to me here.']
  const script = examples.length > 0 ? ['', 'A line like `/tool_name {"field": "value"}` calls a tool directly.'] : []
  return [whatItIs, modelHint, ...lines, ...script].join('\n')
}

/** Is the message a greeting or a question about what can be done here? */
export function isGreeting(message: string): boolean {
  const words = tokenise(message)
    .filter(({ kind }) => kind === 'word')
    .map(({ lower }) => lower)
  const text = words.join(' ')
  return (
    (words.length === 0 && tokenise(message).every(({ kind }) => kind === 'mark')) ||
    /^(hi|hello|hey|hallo|moin|good (morning|evening|afternoon)|guten (tag|morgen|abend)|help( me)?|hilfe|thanks|thank you|danke|bye|who are you|what are you|wer bist du|what can you do( for me| here)?|was kannst du( alles)?|how does this work|how do you work|what (is|are) (this|handrail)|start|test)( (there|handrail|please|bitte))?$/.test(
      text,
    )
  )
}

/** Why nothing was done, what was understood so far, and what would work. */
export function notUnderstood(
  message: string,
  { understood, rest }: Misunderstanding,
  tools: readonly OfferedTool[],
  modelHint: string,
): string {
  const parts = [`I did not understand ${quotedPart(rest, message)} well enough to act on it, so I changed nothing.`]
  if (understood.length > 0) {
    const heard = understood.map(({ readings: [reading] }) => reading?.tool.plainName.replaceAll('_', ' '))
    parts.push(`I did understand: ${heard.join(', then ')}. I act only when I understand the whole message.`)
  }
  const incomplete = readIncomplete(rest, tools)
  if (incomplete)
    parts.push(
      `To ${incomplete.tool.plainName.replaceAll('_', ' ')} I also need: ${missingFields(incomplete).join(', ') || 'what to change'}.`,
    )
  else {
    const mood = moodOf(rest)
    parts.push(
      mood ? `It reads like a ${mood}, and I act on plain requests only.` : 'It is no wording that I know a tool for.',
    )
  }
  const near = nearestTools(message, tools)
  const examples = examplesFor(near.length > 0 ? near : tools, near.length > 0 ? 2 : 3)
  if (examples.length > 0)
    parts.push(`What works, for example:\n${examples.map((example) => `- ${example}`).join('\n')}`)
  parts.push(`${whatItIs} ${modelHint}`)
  return parts.join('\n\n')
}

/** What the words make of a request, politeness like *could you* apart; undefined when nothing in them does. */
function moodOf(rest: readonly Token[]): 'negation' | 'condition' | 'question' | undefined {
  const lowers = rest.map((token) => (isOpaque(token) ? '"' : token.lower))
  const { from, to, asks } = politeEdges(lowers)
  const words = lowers.slice(from, to)
  if (words.some((word) => negations.test(word))) return 'negation'
  if (words.some((word) => conditions.test(word))) return 'condition'
  return questions.test(words[0] ?? '') || (!asks && lowers.at(-1) === '?') ? 'question' : undefined
}

function quotedPart(rest: readonly Token[], message: string): string {
  const text = rest.length > 0 ? textOf(rest) : message
  return `"${text.length > 120 ? `${text.slice(0, 119)}…` : text}"`
}

/** Sentences that work, reads and writes in turn; a tool without one shows its script line. */
function examplesFor(tools: readonly OfferedTool[], count: number): string[] {
  const written = [...new Set(tools.map(({ phrases }) => phrases))].flatMap((phrases) =>
    Object.entries(phrases.examples ?? {}).flatMap(([name, example]) => {
      const tool = tools.find((offered) => offered.plainName === name && offered.phrases === phrases)
      return tool ? [{ kind: tool.kind === 'read' ? 0 : tool.kind === 'create' ? 1 : 2, example }] : []
    }),
  )
  const mixed = [0, 1, 2].flatMap((kind) => written.filter((entry) => entry.kind === kind).slice(0, 1))
  const chosen = [...new Set([...mixed, ...written].map(({ example }) => example))].slice(0, count)
  return chosen.length > 0 ? chosen : tools.slice(0, count).map(scriptLine)
}

/** The shortest script line for a tool: its required arguments by name. */
export function scriptLine(tool: OfferedTool): string {
  const required = tool.fields.filter((field) => field.required)
  const input = Object.fromEntries(
    required.map((field) => [
      field.name,
      field.kind === 'references' || field.kind === 'words' ? ['…'] : (field.choices[0]?.value ?? '…'),
    ]),
  )
  return `\`/${tool.name} ${JSON.stringify(input)}\``
}

/** Tools whose nouns or name stand in the message. */
function nearestTools(message: string, tools: readonly OfferedTool[]): OfferedTool[] {
  const words = new Set(
    tokenise(message).flatMap(({ kind, lower }) => (kind === 'word' ? [lower, lower.replace(/s$/, '')] : [])),
  )
  const scored = tools.map((tool) => {
    const own = tool.name.split('_').filter((word) => words.has(word)).length
    const nouns = (tool.phrases.nouns[tool.category] ?? []).some((noun) =>
      noun.split(/[ |]/).some((word) => words.has(word)),
    )
    return { tool, score: own * 2 + (nouns ? 1 : 0) }
  })
  const best = Math.max(0, ...scored.map(({ score }) => score))
  return best < 2 ? [] : scored.filter(({ score }) => score === best).map(({ tool }) => tool)
}
