import type { PackPhrases } from '../pack/pack.ts'
import type { ToolKind } from '../tool/tool.ts'
import { type Field, ownList } from './fields.ts'

/** What the general patterns are made from. */
export interface PatternSource {
  name: string
  category: string
  kind: ToolKind
  fields: readonly Field[]
  phrases: PackPhrases
  /** Does the pack name this tool as the plain way to see one thing of the category? */
  isMainGet: boolean
}

/** The ways to ask for a tool that follow from its kind and arguments alone; a pack adds its own in `phrases.requests`. */
export function generalPatterns(source: PatternSource): string[] {
  const own = ownList(source.phrases.requests, source.name)
  const verbs = ownList(source.phrases.verbs, source.name)
  const target = targetField(source)
  const byVerb = verbs.length > 0 && target ? [`(${verbs.join('|')}) ${thing(source, target)} ~`] : []
  return [...own, ...byVerb, ...patternsOfKind(source, target)]
}

/** The ways to add a detail behind a request, one set for each argument. */
export function detailPatterns(source: PatternSource): string[] {
  const { fields, phrases, kind } = source
  const own = ownList(phrases.details, source.name)
  const target = targetField(source)
  const named = phrases.subjects?.[source.name]?.field
  const scope =
    phrases.scopeField !== undefined && target?.name !== phrases.scopeField
      ? scopeDetails(phrases, phrases.scopeField, kind === 'create' || source.name.startsWith('list_'))
      : []
  const patterns = fields.flatMap((field) => {
    if (field.name === phrases.scopeField) return []
    if (field === target && field.required) return []
    const words = choiceOf(field.words)
    const general = `[@and] [with|having|using|where|whose|for|in|on|under|as|mit] [set] [its|the|@a] ${words} [of|to|=|:|is|as|being|should be] <${field.name}>`
    if (field.kind === 'choice') {
      const said = `[@and] [as|with|in|that (is|are)|which (is|are)|marked as|marked|(that|which) (is|are) (still|in|still in|marked as|currently)] [@a] <${field.name}> [${words}]`
      return [general, said]
    }
    if (field.kind === 'reference') return [`(for|of|about|on) ${thing(source, field)}`]
    if (field.kind === 'references') {
      const noun = `#${categoryOf(source, field)}`
      // Never a bare list: of *plan v1: Combat, Loot, Pets* nobody knows whether the first one is the title.
      const marker =
        '(with|including|containing|covering|consisting of|made of|made up of|of|for|that (contains|includes|covers))'
      return [
        `[@and] ${marker} [@the] [${noun}] [:] <${field.name}> [${noun}]`,
        `[@and] [@the] ${noun} [:] <${field.name}>`,
      ]
    }
    return [general]
  })
  return [...own, ...(named ? [`[,] @named <${named}>`] : []), ...searchDetails(fields), ...patterns, ...scope]
}

/** The argument that says which thing a tool works on: its one required reference, or a lone optional one of its own category. */
export function targetField({ fields, phrases, category, kind }: PatternSource): Field | undefined {
  const references = fields.filter((field) => field.kind === 'reference')
  const required = references.filter((field) => field.required)
  if (required.length > 0) return required.length === 1 ? required[0] : undefined
  if (kind === 'create') return undefined
  const own = references.filter((field) => phrases.references?.[field.name]?.category === category)
  return own.length === 1 ? own[0] : undefined
}

function patternsOfKind(source: PatternSource, target: Field | undefined): string[] {
  if (source.kind === 'create') return createPatterns(source)
  if (source.kind === 'delete') return target ? [`@delete ${thing(source, target)} ~`] : []
  if (source.kind === 'update') return target ? updatePatterns(source, target) : []
  if (source.kind !== 'read') return []
  if (source.name.startsWith('list_')) return listPatterns(source)
  return target && source.isMainGet && categoryOf(source, target) === source.category ? getPatterns(source, target) : []
}

function listPatterns({ category, fields }: PatternSource): string[] {
  const choices = fields.filter((field) => field.kind === 'choice')
  const anyChoice = choices.length > 0 ? `[${choices.map((field) => `<${field.name}>`).join('|')}]` : ''
  const things = `${anyChoice} ${anyChoice} #${category}*`
  const size = fields.find((field) => field.kind === 'number' && /limit|size/i.test(field.name))
  return [
    `@show @all ${things} [@have|list] ~`,
    `(what|which|welche) ${things} [@have|do exist] ~`,
    `@show (every|each|every single|an overview of every|a list of every) ${anyChoice} #${category} ~`,
    `how many ${things} [@have] ~`,
    `wie viele ${things} [@have] ~`,
    `(are there|do we have|have we got|is there|got|gibt es) [any] ${things} [@have] ~`,
    `@all ${things} [list|overview] ~`,
    `(list|overview|summary|count) [of] @all ${things} ~`,
    `(find|search [for]|look for|filter) @all ${things} ~`,
    `what @all ${things} look like`,
    ...choices.flatMap((field) => [
      `(what|which|welche) [of (the|our|my)] #${category}* are [still|currently|now] [in|marked as|marked] [@a] <${field.name}> ~`,
      `(what|which) [of (the|our|my)] #${category}* have [@a] [${field.words.join('|')}] [of] <${field.name}> [${field.words.join('|')}] ~`,
    ]),
    ...(size ? [`@show (the|our|my|) (first|last|latest|newest|top|most recent) <${size.name}> #${category}* ~`] : []),
    ...(fields.some((field) => field.name === 'search')
      ? [`(is there|do we have|have we got) @a <search> #${category} ~`]
      : []),
  ]
}

function getPatterns(source: PatternSource, target: Field): string[] {
  const it = thing(source, target)
  return [
    `@open ${it} @details ~`,
    `(what|who) @be [in|inside|part of|contained in|on|at|about] ${it} [about|like] ~`,
    `[@the] (details|info|information|overview|summary|content|contents) (of|about|on|for|in) ${it} ~`,
    `(can i see|may i see|i want to see|where is|find) ${it} @details`,
    `[@the] (#${source.category} @the <${target.name}>|<${target.name}> #${source.category}) @details`,
  ]
}

function createPatterns({ name, category, phrases, fields }: PatternSource): string[] {
  const subject = phrases.subjects?.[name]
  if (!subject) return []
  const noun = `#${category}!`
  const choices = fields.filter((field) => field.kind === 'choice')
  return [
    ...choices.map((field) => `@create @a <${field.name}> ${noun} @named <${subject.field}> ~`),
    `@create @a ${noun} (@named|:) <${subject.field}> ~`,
    `@create @a ${noun} [,] <${subject.field}^> ~`,
    `(create|add|build|set up|register) the [new] ${noun} (@named <${subject.field}>|<${subject.field}^>) ~`,
    `@create @a ${noun} [:] ~`,
    ...(subject.nounBelongsToName
      ? [
          `@create @a <${subject.field}+> ~`,
          `(create|add|build|set up|register|erstelle) the [new] <${subject.field}+> ~`,
        ]
      : [`@create @a <${subject.field}> ${noun} ~`]),
  ]
}

function updatePatterns(source: PatternSource, target: Field): string[] {
  const it = thing(source, target)
  const values = source.fields.filter((field) => field !== target && field.name !== source.phrases.scopeField)
  const perField = values.flatMap((field) => {
    const words = choiceOf(field.words)
    const value = `<${field.name}>`
    const patterns = [
      `@set @the ${words} @of ${it} @to ${value} ~`,
      `@set ${it} ['s] [@the] ${words} @to ${value} ~`,
      `@set @the ${words} @to ${value} @of ${it} ~`,
      `(for|on|in) ${it} [,] @set [its|@the] ${words} @to ${value} ~`,
      `[@the] ${words} of ${it} (should be|must be|shall be|should become|should read) [:] ${value} ~`,
      `${it} ['s] ${words} (should be|must be|shall be|should become) [:] ${value} ~`,
      `(give|assign) ${it} @a ${words} [of|:] ${value} ~`,
      `(write|put|set|record|use) ${value} as [@the] ${words} (of|for) ${it} ~`,
    ]
    if (field.kind === 'choice')
      patterns.push(
        `@mark ${it} [@to] [a|an] ${value} [${words}|#${categoryOf(source, target)}!] ~`,
        `${it} (should be|must be|shall be|should become) ${value} ~`,
      )
    if (field.name === 'name' || field.name === 'title')
      patterns.push(`(rename|retitle|benenne) ${it} @to ${value} [um] ~`)
    return patterns
  })
  return [...perField, `@update ${it} [:|,] [and|by|to|so that] ~`]
}

function searchDetails(fields: readonly Field[]): string[] {
  const search = fields.find((field) => field.name === 'search' || field.name === 'query')
  return search
    ? [
        `[that|which|whose name] (mention|mentions|contain|contains|containing|mentioning|matching|match|about|with|related to|concerning|like|named|called|for|including) [@the] [word|term|name|text] [in (the|their) name] <${search.name}> [in (the|their) name]`,
      ]
    : []
}

function scopeDetails(phrases: PackPhrases, field: string, isFree: boolean): string[] {
  const noun = `#${phrases.references?.[field]?.category ?? ''}`
  const before = '[,] (in|within|inside|for|of|from|to|under|into|on|im|für|zum|zu)'
  return [
    `${before} @this ${noun}!`,
    `${before} @the ${noun} [@named] <${field}>`,
    `${before} @the <${field}> ${noun}`,
    isFree ? `[,] (in|within|inside|im|to|for|of|from) <${field}>` : `[,] (in|within|inside|im) <${field}>`,
  ]
}

/** The ways to say which thing is meant, with or without its noun; *this project* where the argument may be left out. */
function thing(source: PatternSource, field: Field): string {
  const noun = `#${categoryOf(source, field)}!`
  const here = field.required && field.name !== source.phrases.scopeField ? '' : `|@this ${noun}`
  return `(@the ${noun} [@about] <${field.name}>|@the <${field.name}> ${noun}|<${field.name}>${here})`
}

function categoryOf({ phrases, category }: PatternSource, field: Field): string {
  return phrases.references?.[field.name]?.category ?? category
}

function choiceOf(words: readonly string[]): string {
  return `(${words.join('|')})`
}
