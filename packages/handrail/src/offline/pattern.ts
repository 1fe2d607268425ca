/**
 * A request as a pattern of words.
 *
 * | written | matches |
 * |---|---|
 * | `depend` `:` | that word or mark |
 * | `(a\|b c)` `[a\|b]` | one of these; one of these or nothing |
 * | `@create` | a class of words (`vocabulary.ts`) |
 * | `#game-system` `#game-system*` `#game-system!` | a noun of that category; its plural only; its singular only |
 * | `<systemId>` | a value of that field of the tool |
 * | `<name!>` `<name^>` | the same, in quotes only; in quotes or in words that begin with a capital |
 * | `<name+>` | a name together with the noun that follows it: *combat system* |
 * | `{status=archived}` | nothing, and sets the field |
 * | `~` | any details the tool's fields allow: `with purpose …`, `in project …`, `as html` |
 */
export type PatternNode =
  | { kind: 'word'; word: string }
  | { kind: 'class'; name: string }
  | { kind: 'noun'; category: string }
  | { kind: 'slot'; field: string; form: SlotForm }
  | { kind: 'set'; field: string; value: string }
  | { kind: 'details' }
  | { kind: 'choice'; options: readonly (readonly PatternNode[])[]; optional: boolean }

/** How a value must be written. `with-noun`: together with the noun that follows it. */
export type SlotForm = 'any' | 'with-noun' | 'quoted' | 'proper'

const formNames: Readonly<Record<string, SlotForm>> = { '+': 'with-noun', '!': 'quoted', '^': 'proper' }
const piecePattern =
  /\s*(?:([()[\]|~])|@([a-z-]+)|#([a-z-]+[*!]?)|<(\w+)([+!^]?)>|\{(\w+)=([^}]*)\}|([^\s()[\]|~<>{}]+))/y

/** Reads a pattern. @throws Error with the pattern in it, when it is not well formed */
export function parsePattern(source: string): PatternNode[] {
  let position = 0
  const fail = (): never => {
    throw new Error(`The pattern \`${source}\` is not well formed at ${position}`)
  }
  const sequence = (closing: string): { options: PatternNode[][]; closed: boolean } => {
    const options: PatternNode[][] = [[]]
    while (source.slice(position).trim() !== '') {
      piecePattern.lastIndex = position
      const piece = piecePattern.exec(source) ?? fail()
      position = piecePattern.lastIndex
      const [, mark, className, category, field, form, setField, setValue, word] = piece
      const current = options[options.length - 1] ?? fail()
      if (mark === '|') options.push([])
      else if (mark === '~') current.push({ kind: 'details' })
      else if (mark === '(' || mark === '[') {
        const inner = sequence(mark === '(' ? ')' : ']')
        if (!inner.closed) fail()
        current.push({ kind: 'choice', options: inner.options, optional: mark === '[' })
      } else if (mark !== undefined) return mark === closing ? { options, closed: true } : fail()
      else if (className !== undefined) current.push({ kind: 'class', name: className })
      else if (category !== undefined) current.push({ kind: 'noun', category })
      else if (field !== undefined) current.push({ kind: 'slot', field, form: formNames[form ?? ''] ?? 'any' })
      else if (setField !== undefined) current.push({ kind: 'set', field: setField, value: setValue ?? '' })
      else current.push({ kind: 'word', word: (word ?? '').toLowerCase() })
    }
    return { options, closed: false }
  }
  const { options } = sequence('')
  return options.length === 1 ? (options[0] ?? []) : [{ kind: 'choice', options, optional: false }]
}
