import type { LedgerEntry } from '../../../ledger/ledger-entry.ts'
import type { ToolRule } from '../tool-rule.ts'
import { entriesOf } from '../trace.ts'

/** Whatever way a call goes, the ledger has its end once; its start once if it was carried out, and else never. */
export const recordsStartAndEnd: ToolRule = {
  title: 'is on the ledger with one start and one end, whichever way it goes',
  async problems({ tool, bench }) {
    const problems: string[] = []
    for (const { name, entries, outcome, asking } of await bench.exampleRuns(tool)) {
      problems.push(...wrongEntries(name, entries, outcome.record.status === 'done'))
      if (asking) problems.push(...wrongEntries(`${name}, declined`, asking.declined.entries, false))
    }
    const workspace = await bench.untouched()
    const invalid = await workspace.call(tool.name, { noSuchArgument: true })
    problems.push(...wrongEntries('with bad input', await entriesOf(workspace, invalid), false))
    return problems
  },
}

function wrongEntries(name: string, entries: readonly LedgerEntry[], isDone: boolean): string[] {
  const problems: string[] = []
  const events = entries.map(({ event }) => event)
  const starts = events.filter((event) => event === 'started').length
  const ends = events.filter((event) => event === 'ended').length
  const path = events.join(', ') || 'nothing'
  if (ends !== 1 || events.at(-1) !== 'ended') problems.push(`${name}: the ledger should end it once, but has ${path}`)
  if (isDone ? starts !== 1 : starts > 1) problems.push(`${name}: the ledger should start it once, but has ${path}`)
  const end = entries.at(-1)
  if (end?.resultDigest === undefined) problems.push(`${name}: the ledger has no digest of its result`)
  return problems
}
