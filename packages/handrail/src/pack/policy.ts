import type { Approvers } from '../approval/approval.ts'
import type { StoredCall } from '../ledger/call-record.ts'
import type { Principal, Scope } from '../principal/principal.ts'
import type { Tool } from '../tool/tool.ts'

/** The answer for one parsed call. `report`: it runs, and is listed under the run's answer. */
export type Verdict =
  | { verdict: 'allow'; report?: boolean }
  | { verdict: 'ask'; reason: string; approvers?: Approvers }
  | { verdict: 'refuse'; reason: string }

export interface PolicyContext {
  readonly tool: Tool
  readonly pack: string
  readonly input: unknown
  readonly principal: Principal
  readonly scope: Scope
  readonly thread: {
    /** An outsider's text entered the conversation. */
    readonly untrusted: boolean
    /** What the person themselves wrote in it. */
    readonly userText: string
  }
  /** Earlier calls of this tool in the thread whose outcome is unknown. */
  readonly unsettled: readonly StoredCall[]
  /** What the default policy says; a policy returns it, or something stricter or looser. */
  readonly byDefault: Verdict
}

export type Policy = (context: PolicyContext) => Verdict | Promise<Verdict>
