import { randomUUID } from 'node:crypto'
import { openTestDatabase } from '@handrail/postgres/testing'
import type { Principal, Scope } from 'handrail'
import { gameplan } from '../pack.ts'
import { gameplanReaders, gameplanWriters, type Readers, type Writers } from '../services/services.ts'

/** What a test does as one person: each call of `act` is one transaction. */
export interface Person {
  act<T>(work: (services: Readers & { write: Writers }) => Promise<T>): Promise<T>
}

/** A test's own workspace in a shared database: nobody else's rows are in it. */
export interface Workspace {
  tenantId: string
  as(userId: string, scope?: Scope): Person
}

/**
 * Opens one database for a test file; `workspace` makes a fresh tenant in it for each test.
 *
 * @example
 * const studio = await openStudio()
 * const { id } = await studio.workspace().as('alice').act(({ write }) => write.projects.create({ name: 'Game', status: 'active' }))
 */
export async function openStudio() {
  const storage = gameplan.storage
  if (!storage) throw new Error('GamePlan has no storage')
  const database = await openTestDatabase({ engine: 'pglite', packs: [storage] })
  const workspace = (): Workspace => {
    const tenantId = `test-${randomUUID()}`
    return {
      tenantId,
      as: (userId, scope = {}) => ({
        act: (work) =>
          database.transaction(tenantId, (db) => {
            const principal: Principal = {
              tenantId,
              userId,
              roles: ['owner'],
              actor: 'person',
              via: { door: 'test', credentialId: 'test' },
            }
            const context = { db, principal, scope }
            return work({ ...gameplanReaders(context), write: gameplanWriters(context) })
          }),
      }),
    }
  }
  return { database, workspace, close: () => database.close() }
}
