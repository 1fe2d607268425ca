import type { Principal } from 'handrail'

const readers = ['owner', 'member']

/**
 * Who reads a workspace's whole record: its owners and members. Anybody else reads what they did themselves, or had
 * done for them.
 */
export function mayReadLedger({ roles }: Principal): boolean {
  return roles.some((role) => readers.includes(role))
}
