import type { Database } from '@handrail/postgres'
import type { Pack, Scope } from 'handrail'
import { type DevDirectory, devPrincipal } from '../auth/dev-principals.ts'

/** What a conversation is about in a workspace's demo, where the person names nothing else. */
export type DemoScopes = (tenantId: string, packName: string) => Scope | undefined

/**
 * Fills every demo person's workspace that is still empty, as its first person there (an owner). Of several servers
 * that start at once on one database, one does.
 */
export function seedDemo(database: Database, packs: readonly Pack[], directory: DevDirectory): Promise<DemoScopes> {
  return database.engine.exclusively('handrail.demo', () => seed(database, packs, directory))
}

async function seed(database: Database, packs: readonly Pack[], directory: DevDirectory): Promise<DemoScopes> {
  const scopes = new Map<string, Scope>()
  const firstOf = new Map([...directory].reverse().map(([name, { workspace }]) => [workspace, name]))
  for (const name of firstOf.values()) {
    const principal = devPrincipal(directory, name)
    if (principal === undefined) continue
    for (const pack of packs) {
      const seeded = await database.transaction(principal.tenantId, async (db) =>
        pack.demo?.({ db, principal, scope: {} }),
      )
      if (seeded) scopes.set(keyOf(principal.tenantId, pack.name), seeded.scope)
    }
  }
  return (tenantId, packName) => scopes.get(keyOf(tenantId, packName))
}

function keyOf(tenantId: string, packName: string): string {
  return JSON.stringify([tenantId, packName])
}
