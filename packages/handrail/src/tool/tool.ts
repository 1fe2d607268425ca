import type { z } from 'zod'
import type { ErrorCode } from '../errors/error-code.ts'
import type { Principal, Scope } from '../principal/principal.ts'
import type { Source, ToolResult } from './tool-result.ts'

/** What a tool does to the world. */
export type ToolKind = 'read' | 'create' | 'update' | 'delete' | 'action'
/** Of a non-read: its effect lies wholly in the transaction it is handed, or somewhere outside. */
export type ToolEffect = 'transaction' | 'external'
export type Risk = 'low' | 'medium' | 'high'

export interface Progress {
  message: string
  done?: number
  total?: number
}

export interface ToolLogger {
  info(message: string, details?: unknown): void
  warn(message: string, details?: unknown): void
}

/** What `execute` is given. `services` depends on the kind: readers for a read, writers for a `transaction` tool. */
export interface ExecuteContext<Input = unknown, Services = unknown> {
  readonly input: Input
  readonly services: Services
  readonly scope: Scope
  readonly principal: Principal
  /** Aborted at the deadline and on cancel. The deadline holds even for a tool that ignores it. */
  readonly signal: AbortSignal
  readonly logger: ToolLogger
  readonly progress: (progress: Progress) => void
  /** Stable over retries of this call: hand it to outside services that deduplicate. */
  readonly idempotencyKey: string
  readonly call: { readonly id: string; readonly pack: string; readonly toolName: string; readonly attempt: number }
}

/** What `preview` is given: readers only, before anything is decided. */
export interface PreviewContext<Input = unknown, Services = unknown> {
  readonly input: Input
  readonly services: Services
  readonly scope: Scope
  readonly principal: Principal
}

/** A preview with a basis: when the basis has changed at execution, the person is asked again. */
export interface PreviewWithBasis {
  view: unknown
  basis: unknown
  /** What would be done, with the thing's name: `Delete game system "Old Prototype"`. Without it the tool's title stands there. */
  title?: string
}

export interface ToolLimits {
  /** Deadline in milliseconds. Default 10,000; `transaction` tools 5,000. */
  timeoutMs?: number
  /** Budget of the result the model sees, in tokens. Default 8,000. */
  resultTokens?: number
  /** Largest input in bytes of JSON. Default 64,000. */
  inputBytes?: number
  /** Calls per person and hour. */
  perHour?: number
}

/** A worked example; it runs in the contract against the pack's demo data. */
export type ToolExample<Demo = unknown> = {
  /** A demo person; default `alice`. */
  as?: string
  /** The arguments, built from the demo data's ids. */
  input: (demo: Demo) => unknown
  /** Scope to call in, when not the demo's own. */
  scope?: (demo: Demo) => Scope
} & ({ gives: unknown; refuses?: undefined } | { refuses: ErrorCode; gives?: undefined })

/** Something a result is about, so that *it* and *the second one* resolve later. */
export interface Entity {
  kind: string
  id: string
  title?: string
}

/**
 * A tool as the registry holds it: every default resolved, the input's type erased.
 * Made by `defineTool`; methods (not function properties) keep concrete tools assignable.
 */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly version: number
  readonly category: string
  readonly kind: ToolKind
  readonly effect: ToolEffect | undefined
  readonly risk: Risk
  readonly description: string
  readonly inputSchema: z.ZodType
  readonly outputSchema: z.ZodType | undefined
  /** Roles that may call it; undefined leaves it to the pack. */
  readonly roles: readonly string[] | undefined
  readonly tags: readonly string[]
  /** May a read be answered from an earlier identical read in the same run? */
  readonly cache: boolean
  /** May a write run beside the other writes of its step? */
  readonly parallel: boolean
  readonly egress: boolean
  readonly untrusted: boolean
  /** An external write that may be repeated with its key. */
  readonly idempotent: boolean
  /** Overrides the policy's answer for this tool, literally and visibly. */
  readonly approval: 'always' | 'never' | undefined
  readonly limits: ToolLimits
  readonly examples: readonly ToolExample<never>[]
  preview?(context: PreviewContext<never, never>): unknown
  execute(context: ExecuteContext<never, never>): unknown
  /** Commits together with an external call's outcome. */
  save?(context: { result: never; services: never; input: never }): unknown
  describe?(context: { input: never; result: ToolResult<never> }): string
  sources?(context: { input: never; data: never }): Source[]
  entities?(context: { input: never; data: never }): Entity[]
}
