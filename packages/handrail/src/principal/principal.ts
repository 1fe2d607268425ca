/** Who is calling, from a verified credential and never from arguments. */
export interface Principal {
  /** The workspace. Everything a principal can see or change lies in it. */
  readonly tenantId: string
  readonly userId: string
  /** Roles in the workspace; packs map them to their own with `roleOf`. */
  readonly roles: readonly string[]
  /** Whose hand it is: the person's own, a model's on the person's behalf, or a program's. */
  readonly actor: 'person' | 'agent' | 'service'
  readonly via: {
    /** The door the call came in by: `http`, `chat`, `mcp`, `cli`, `ai-sdk`, `embedded` … */
    readonly door: string
    readonly credentialId: string
  }
  /** False for a credential that was issued without the right to approve. */
  readonly mayApprove?: boolean
}

/** What a conversation or connection is about, chosen by the person: `{ projectId }`, `{ siteId, environmentId }`. */
export type Scope = Readonly<Record<string, string>>

/** The same person's principal with a model's hand. */
export function asAgent(principal: Principal, door = principal.via.door): Principal {
  return { ...principal, actor: 'agent', via: { ...principal.via, door } }
}
