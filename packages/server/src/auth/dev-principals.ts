import type { Principal } from 'handrail'
import type { Principals } from './principals.ts'

export interface DevPerson {
  readonly workspace: string
  readonly roles: readonly string[]
}

/** By name. Read at each use, so that a test can take a role away. */
export type DevDirectory = ReadonlyMap<string, DevPerson>

export const devHeader = 'x-handrail-user'

/** The people every demo has: an owner, a member and a reader of one workspace, and the owner of another. */
export const demoDirectory: DevDirectory = new Map([
  ['alice', { workspace: 'acme', roles: ['owner'] }],
  ['bob', { workspace: 'acme', roles: ['member'] }],
  ['carol', { workspace: 'acme', roles: ['reader'] }],
  ['mallory', { workspace: 'other', roles: ['owner'] }],
])

/** Dev mode's people, named by a header. Never used where others than this machine can reach the server. */
export function devPrincipals(directory: DevDirectory = demoDirectory): Principals {
  return {
    authenticate(request) {
      const name = request.headers.get(devHeader)
      return name === null ? undefined : devPrincipal(directory, name)
    },
    current({ userId, tenantId, via }) {
      const now = devPrincipal(directory, userId)
      return now?.tenantId === tenantId ? { ...now, via } : undefined
    },
  }
}

/** One of the directory's people, as a principal of the door `http`. */
export function devPrincipal(directory: DevDirectory, name: string): Principal | undefined {
  const person = directory.get(name)
  return (
    person && {
      tenantId: person.workspace,
      userId: name,
      roles: person.roles,
      actor: 'person',
      via: { door: 'http', credentialId: `dev:${name}` },
    }
  )
}
