import type { Clause, Understanding } from './clauses.ts'
import type { Lists } from './lists.ts'
import type { OfferedTool } from './offered-tools.ts'
import type { Reading } from './read-clause.ts'
import { findRow, nounOf } from './resolve-references.ts'
import type { SlotValue } from './slots.ts'
import type { PastCall, PlannedCall } from './transcript.ts'

export type FoundScope = { id: string | undefined } | { problem: string }

/**
 * The projects (or whatever the pack's scope is) that a message names. A single one holds for the whole message, several
 * each for their own clause. A name that is not found is a problem, never passed over: the call would land elsewhere.
 */
export class NamedScopes {
  private readonly lists: Lists
  private readonly shared: string | undefined

  constructor(clauses: readonly Clause[], leading: Understanding['scopeName'], lists: Lists) {
    this.lists = lists
    const led = nameOf(leading)
    const said = clauses.map(({ readings: [best] }) => (best ? this.nameIn(best) : undefined))
    const names = new Set([...said, led].flatMap((name) => (name === undefined ? [] : [name.toLowerCase()])))
    this.shared = names.size === 1 ? (led ?? said.find((name) => name !== undefined)) : led
  }

  *find(reading: Reading): Generator<PlannedCall[], FoundScope, PastCall[]> {
    const { tool } = reading
    const name = this.nameIn(reading) ?? this.shared
    const field = tool.phrases.scopeField
    const hint = field === undefined ? undefined : tool.phrases.references?.[field]
    if (name === undefined || !hint || isAbout(tool, field)) return { id: undefined }
    const what = nounOf(hint, tool)
    if (name === '') return { problem: `I do not know which ${what} you mean: please name it.` }
    yield* this.lists.read([{ tool, listTool: hint.listTool, scopeId: undefined }])
    const rows = this.lists.rows(tool, hint.listTool, undefined)
    if (typeof rows === 'string') return { problem: `I could not look up the ${what} "${name}": ${rows}` }
    const found = findRow(name, rows, hint, tool, what)
    return 'problem' in found ? found : { id: typeof found.id === 'string' ? found.id : undefined }
  }

  /** The name in a reading; empty for *it*. */
  private nameIn({ tool, slots }: Reading): string | undefined {
    const field = tool.phrases.scopeField
    return field === undefined || isAbout(tool, field) ? undefined : nameOf(slots[field])
  }
}

/** Is the tool about the project itself, rather than about something in one? */
function isAbout(tool: OfferedTool, field: string | undefined): boolean {
  return tool.target !== undefined && tool.target.name === field
}

function nameOf(slot: SlotValue | undefined): string | undefined {
  if (slot?.kind !== 'reference') return undefined
  const [name] = slot.names
  return name?.kind === 'name' ? name.text : ''
}
