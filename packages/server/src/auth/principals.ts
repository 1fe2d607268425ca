import type { Principal } from 'handrail'

/** Who is asking, and who they are now. The server knows people only through this. */
export interface Principals {
  /** The principal behind a request, from its credential; undefined where there is none. */
  authenticate(request: Request): Promise<Principal | undefined> | Principal | undefined
  /** The principal as it stands now, asked again when an approved call is executed later; undefined when it is gone. */
  current(principal: Principal): Promise<Principal | undefined> | Principal | undefined
}

/** What a host application brings instead of our own sign-in. */
export interface HostPrincipals {
  resolvePrincipal: Principals['authenticate']
  /** Default: the principal as it was when it asked. */
  currentPrincipal?: Principals['current']
}

/** The host application's people. */
export function hostPrincipals(host: HostPrincipals): Principals {
  return { authenticate: host.resolvePrincipal, current: host.currentPrincipal ?? ((principal) => principal) }
}

/** Nobody: there is a secret, so the demo people are not let in, and no application has said who is who. */
export const nobody: Principals = { authenticate: () => undefined, current: () => undefined }
