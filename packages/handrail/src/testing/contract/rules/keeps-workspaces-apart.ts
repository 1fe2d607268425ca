import type { CallOutcome } from '../../../gate/call-request.ts'
import { canonicalJson } from '../../../ledger/digest.ts'
import type { Snapshot } from '../../pack-test-database.ts'
import type { TestPack } from '../../test-pack.ts'
import type { ToolRule } from '../tool-rule.ts'
import { told } from '../trace.ts'

/** The other workspace's owner tries every example with ids of `acme`, whose texts hold a canary. */
export const keepsWorkspacesApart: ToolRule = {
  title: 'gives another workspace NOT_FOUND for its ids, and never a word of its data',
  async problems({ tool, bench }) {
    const { workspace, canary } = await bench.planted()
    const { database } = workspace
    const problems: string[] = []
    for (const [index, example] of tool.examples.entries()) {
      if (example.refuses !== undefined) continue
      const name = `example ${index + 1}`
      const input = example.input(workspace.demo as never) // the pack's own demo, whose type the tool no longer knows
      const scope = example.scope?.(workspace.demo as never) ?? workspace.scope // as above
      const ownInput = example.input(workspace.other.demo as never) // as above
      const namesThings = canonicalJson(input) !== canonicalJson(ownInput)
      const attack = (value: unknown, where = workspace.other.scope) =>
        workspace.call(tool.name, value, { as: 'mallory', scope: where, approve: true })

      const before = await database.snapshot()
      const inTheirScope = await attack(input, scope)
      const inOwnScope = await attack(input)
      const madeUp = namesThings ? await attack(withMadeUpIds(input, ownInput)) : undefined
      const after = await database.snapshot()

      const { tenantId } = workspace.as('alice')
      if (canonicalJson(rowsOf(before, tenantId)) !== canonicalJson(rowsOf(after, tenantId))) {
        problems.push(`${name}: rows of another workspace were changed`)
      }
      const secrets = [canary, ...secretsOf(before, workspace, canonicalJson([input, scope]))]
      for (const outcome of [inTheirScope, inOwnScope]) {
        const seen = canonicalJson(outcome)
        const leaked = secrets.find((secret) => seen.includes(secret))
        if (leaked !== undefined) problems.push(`${name}: the answer holds "${leaked}", which is another workspace's`)
      }
      if (!namesThings) continue
      if (codeOf(inTheirScope) !== 'NOT_FOUND') {
        problems.push(`${name}, in the other's scope: should be NOT_FOUND, but ${told(inTheirScope)}`)
      }
      if (codeOf(inOwnScope) === undefined) problems.push(`${name}, in the own scope: ${told(inOwnScope)}`)
      if (madeUp && codeOf(madeUp) !== codeOf(inOwnScope)) {
        problems.push(`${name}: a thing of others is told from a missing one: ${told(inOwnScope)} / ${told(madeUp)}`)
      }
    }
    return problems
  },
}

function codeOf({ result }: CallOutcome): string | undefined {
  return 'code' in result ? result.code : undefined
}

/** The rows in which any column holds the tenant's id. */
function rowsOf(snapshot: Snapshot, tenantId: string): unknown[] {
  return Object.values(snapshot)
    .flat()
    .filter((row) => typeof row === 'object' && row !== null && Object.values(row).includes(tenantId))
}

/** Texts that only the attacked workspace has, beside what the attacker wrote. Short ones occur by chance. */
function secretsOf(snapshot: Snapshot, workspace: TestPack, written: string): string[] {
  const theirs = textsOf(rowsOf(snapshot, workspace.as('alice').tenantId))
  const own = textsOf(rowsOf(snapshot, workspace.as('mallory').tenantId))
  return [...theirs].filter((text) => text.length >= 20 && !own.has(text) && !written.includes(text))
}

function textsOf(rows: readonly unknown[]): Set<string> {
  const texts = new Set<string>()
  const pending: unknown[] = [...rows]
  while (pending.length > 0) {
    const value = pending.pop()
    // As JSON writes it, since it is looked for in JSON.
    if (typeof value === 'string') texts.add(JSON.stringify(value).slice(1, -1))
    else if (typeof value === 'object' && value !== null) pending.push(...Object.values(value))
  }
  return texts
}

/** The same input, but what differs from one's own becomes an id of the same look that nobody has. */
function withMadeUpIds(theirs: unknown, own: unknown): unknown {
  if (typeof theirs === 'string') return theirs === own ? theirs : [...theirs].reverse().join('')
  if (Array.isArray(theirs)) {
    return theirs.map((item, index) => withMadeUpIds(item, Array.isArray(own) ? own[index] : undefined))
  }
  if (typeof theirs !== 'object' || theirs === null) return theirs
  const other = typeof own === 'object' && own !== null ? own : {}
  return Object.fromEntries(
    Object.entries(theirs).map(([key, value]) => [key, withMadeUpIds(value, Reflect.get(other, key))]),
  )
}
