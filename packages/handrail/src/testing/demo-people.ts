import type { Principal } from '../principal/principal.ts'

/** A person of a test: in which of the two workspaces, with which roles. */
export interface DemoPerson {
  workspace: 'acme' | 'other'
  roles: readonly string[]
}

/** The people that every pack's demo has. */
export const demoPeople: Readonly<Record<string, DemoPerson>> = {
  alice: { workspace: 'acme', roles: ['owner'] },
  bob: { workspace: 'acme', roles: ['member'] },
  carol: { workspace: 'acme', roles: ['reader'] },
  mallory: { workspace: 'other', roles: ['owner'] },
}

export function principalOf(userId: string, tenantId: string, roles: readonly string[]): Principal {
  return { tenantId, userId, roles, actor: 'person', via: { door: 'test', credentialId: `test-${userId}` } }
}
