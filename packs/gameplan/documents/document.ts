/** A piece of a document. Texts are people's own words; renderers make them safe for their format. */
export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'facts'; facts: { label: string; value: string }[] }
  | { kind: 'table'; columns: string[]; rows: string[][] }
  /** What the outline asks for and GamePlan does not know: said, not invented. */
  | { kind: 'gap'; text: string }

export interface Section {
  heading: string
  blocks: Block[]
  sections: Section[]
}

/** A document before it has a format. Says the same whenever it is made of the same data: no clock, no random ids. */
export interface GameDocument {
  type: 'gdd' | 'version_prd' | 'system_doc' | 'roadmap'
  title: string
  blocks: Block[]
  sections: Section[]
}

export function section(heading: string, blocks: Block[], sections: Section[] = []): Section {
  return { heading, blocks, sections }
}

export function text(value: string): Block {
  return { kind: 'text', text: value }
}

export function gap(what: string): Block {
  return { kind: 'gap', text: what }
}

/** A list, or a gap that says what is missing when there is nothing to list. */
export function listOr(items: string[], missing: string): Block {
  return items.length > 0 ? { kind: 'list', items } : gap(missing)
}

/** Facts that are known; unknown ones are left out. */
export function facts(known: Record<string, string | null | undefined>): Block {
  return {
    kind: 'facts',
    facts: Object.entries(known).flatMap(([label, value]) => (value ? [{ label, value }] : [])),
  }
}
