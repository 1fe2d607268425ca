import type { Sentences } from '../language/sentences.ts'
import type { StoredCall } from '../ledger/call-record.ts'
import type { Pack } from '../pack/pack.ts'
import type { Policy } from '../pack/policy.ts'
import type { Redactor } from '../present/redact.ts'
import type { Principal } from '../principal/principal.ts'
import type { Store } from '../store/store.ts'
import type { Tool } from '../tool/tool.ts'

/** A pack with what the gate derives from it once. */
export interface GovernedPack {
  pack: Pack
  tools: ReadonlyMap<string, Tool>
  redact: Redactor
  say: Sentences
}

export interface GateLimits {
  /** Calls per person and hour. Default 600. */
  callsPerHour: number
  /** Deadlines in milliseconds where a tool sets none. */
  timeoutMs: number
  transactionTimeoutMs: number
  /** Tokens of a result that the model sees where a tool sets none. */
  resultTokens: number
  /** How long a person has to decide, by card and in conversation, and a decided call to be executed. */
  decideWithinMs: number
  decideInConversationWithinMs: number
  executeWithinMs: number
}

export const defaultLimits: GateLimits = {
  callsPerHour: 600,
  timeoutMs: 10_000,
  transactionTimeoutMs: 5_000,
  resultTokens: 8_000,
  decideWithinMs: 7 * 24 * 3_600_000,
  decideInConversationWithinMs: 10 * 60_000,
  executeWithinMs: 24 * 3_600_000,
}

/** What the operator must hear of. Never carries arguments or results. */
export type OperatorReport = (event: { code: string; message: string; callId?: string; error?: unknown }) => void

/** What every stage of one gate works with. */
export interface GateContext {
  store: Store
  packs: ReadonlyMap<string, GovernedPack>
  /** Stands in for the pack of a call that named no tool we know. */
  unknownPack: GovernedPack
  /** Where no pack, and so no language, is known yet. */
  say: Sentences
  policies: readonly Policy[]
  limits: GateLimits
  report: OperatorReport
  /** The principal as it stands now; undefined when the person is gone. */
  currentPrincipal: (principal: Principal) => Promise<Principal | undefined> | Principal | undefined
  /** Calls executing in this process, so that others can wait for their one outcome. */
  inFlight: Map<string, Promise<StoredCall | undefined>>
}
