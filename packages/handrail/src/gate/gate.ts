import { z } from 'zod'
import { DefinitionError } from '../errors/definition-error.ts'
import { type Sentences, sentencesFor } from '../language/sentences.ts'
import type { ToolCallRecord } from '../ledger/call-record.ts'
import { completePack, type Pack, type RoleGrant, type ServiceContext } from '../pack/pack.ts'
import type { Policy } from '../pack/policy.ts'
import type { Principal, Scope } from '../principal/principal.ts'
import { ToolRegistry } from '../registry/tool-registry.ts'
import { createMemoryStore } from '../store/memory-store.ts'
import type { Store } from '../store/store.ts'
import type { Tool } from '../tool/tool.ts'
import { mayCall } from './authorize.ts'
import type { CallOutcome, CallRequest } from './call-request.ts'
import { type DecisionOutcome, type DecisionRequest, decideApproval } from './decide-approval.ts'
import {
  defaultLimits,
  type GateContext,
  type GateLimits,
  type GovernedPack,
  type OperatorReport,
} from './gate-context.ts'
import { govern, unknownPack } from './govern.ts'
import { pass } from './pass.ts'
import { type Reply, readReply } from './read-reply.ts'
import { reconcile } from './reconcile.ts'
import { type SettlementOutcome, settle } from './settle.ts'
import { toRecord } from './to-record.ts'
import { toolCaller } from './tool-caller.ts'

export interface GateOptions<Request = unknown, Db = never> {
  /** Whole domains, made by `definePack`. */
  packs?: readonly Pack[]
  /** Or a few tools of an existing application, with the roles that may call them. */
  tools?: readonly Tool[]
  roles?: Readonly<Record<string, RoleGrant>>
  /** Of `tools`: what their `services` are, built on the handed transaction (`db`). */
  services?: (context: ServiceContext<Db>) => unknown
  /** Stricter or looser than the default policy, in order. */
  policy?: Policy | readonly Policy[]
  /** Where calls, approvals and the ledger are kept. Default: in memory, for this process only. */
  store?: Store
  /** Who is calling, from your own sign-in. Needed for `gate.as(request)`. */
  resolvePrincipal?: (request: Request) => Promise<Principal | undefined> | Principal | undefined
  /** The principal as it stands now, asked again when an approved call is executed later; undefined when it is gone. */
  currentPrincipal?: GateContext['currentPrincipal']
  limits?: Partial<GateLimits>
  language?: 'en' | 'de'
  /** What the operator must hear of; default: one line on stderr. */
  report?: OperatorReport
}

/** The one way to a tool. */
export interface Gate<Request = unknown> {
  /** Takes a call through every stage. Resolves whatever happens; rejects only when the store cannot be used. */
  call(request: CallRequest): Promise<CallOutcome>
  /** A person's decision on a stored approval. */
  decide(request: DecisionRequest): Promise<DecisionOutcome>
  /** A person says what became of a call whose outcome is unknown. */
  settle(request: {
    callId: string
    outcome: 'happened' | 'did_not_happen'
    principal: Principal
  }): Promise<SettlementOutcome>
  /** Reads the requester's own message as an answer to the one question that is open in their thread. */
  readReply(request: { threadId: string; text: string; principal: Principal }): Promise<Reply>
  /** The gate bound to whoever sent this request; undefined without a principal. */
  as(request: Request, options?: { scope?: Scope; pack?: string }): Promise<ToolRegistry | undefined>
  /** The tools this principal may call, bound to it. */
  registry(principal: Principal, options?: { scope?: Scope; pack?: string }): ToolRegistry
  /** The tools this principal may see, with their pack. */
  toolsFor(principal: Principal, packName?: string): { pack: Pack; tool: Tool }[]
  getCall(principal: Principal, callId: string): Promise<ToolCallRecord | undefined>
  /** Brings to an end what a dead process left. Called often by whoever runs the application. */
  reconcile(): Promise<number>
  readonly packs: ReadonlyMap<string, GovernedPack>
  readonly store: Store
  /** Its sentences where no pack, and so no other language, is known. */
  readonly say: Sentences
}

/**
 * Puts the gate around tools: of an existing application, or of whole packs.
 *
 * @throws DefinitionError listing every problem of every tool
 * @example
 * const gate = createGate({
 *   tools: [listInvoices, voidInvoice],
 *   roles: { admin: 'all', clerk: { kinds: ['read'] } },
 *   services: ({ db }) => invoices(db),
 *   store: postgresStore({ pool }),
 *   resolvePrincipal: (request) => principalOfSession(request),
 * })
 * const registry = await gate.as(request)
 * await registry.executeTool('list_invoices', { customerId: '7' }) // '{"success":true,"data":[…],"message":"…"}'
 */
export function createGate<Request = unknown, Db = never>(options: GateOptions<Request, Db>): Gate<Request> {
  const packs = [...(options.packs ?? []), ...(options.tools ? [packOf(options.tools, options)] : [])]
  if (packs.length === 0) throw new DefinitionError('the gate', ['it is given neither `packs` nor `tools`'])
  const language = options.language ?? packs[0]?.language ?? 'en'
  const { policy } = options
  const context: GateContext = {
    store: options.store ?? createMemoryStore(),
    packs: govern(packs),
    unknownPack: unknownPack(language),
    say: sentencesFor(language),
    policies: typeof policy === 'function' ? [policy] : (policy ?? []),
    limits: { ...defaultLimits, ...options.limits },
    report: options.report ?? reportToStderr,
    currentPrincipal: options.currentPrincipal ?? ((principal) => principal),
    inFlight: new Map(),
  }

  const toolsFor = (principal: Principal, packName?: string) =>
    [...context.packs.values()]
      .filter(({ pack }) => packName === undefined || pack.name === packName)
      .flatMap(({ pack }) =>
        pack.tools.filter((tool) => mayCall(pack, tool, principal)).map((tool) => ({ pack, tool })),
      )

  const registry = (principal: Principal, { scope, pack }: { scope?: Scope; pack?: string } = {}) =>
    new ToolRegistry(
      toolsFor(principal, pack).map(({ tool }) => tool),
      toolCaller(context, principal, scope, pack),
    )

  return {
    async call(request) {
      const outcome = await pass(context, request)
      if (outcome === 'allowed') throw new Error('the gate stopped short of executing')
      return outcome
    },
    decide: (request) => decideApproval(context, request),
    settle: (request) => settle(context, request),
    readReply: (request) => readReply(context, request),
    async as(request, bound) {
      const principal = await options.resolvePrincipal?.(request)
      return principal && registry(principal, bound)
    },
    registry,
    toolsFor,
    async getCall(principal, callId) {
      const call = await context.store.calls.get(principal.tenantId, callId)
      if (call === undefined) return undefined
      const approval = call.approvalId ? await context.store.approvals.get(call.tenantId, call.approvalId) : undefined
      return toRecord(call, approval?.status)
    },
    reconcile: () => reconcile(context),
    packs: context.packs,
    store: context.store,
    say: context.say,
  }
}

/** An application's own tools as a pack of one. */
function packOf<Db>(
  tools: readonly Tool[],
  options: Pick<GateOptions<never, Db>, 'services' | 'roles' | 'language'>,
): Pack {
  const services = options.services ?? (() => ({}))
  return completePack({
    name: 'app',
    title: 'Application',
    description: 'The tools of this application',
    language: options.language ?? 'en',
    tools,
    scopeSchema: z.record(z.string(), z.string()),
    roles: options.roles ?? {},
    services: { readers: services, writers: services },
    instructions: () => '',
  })
}

const reportToStderr: OperatorReport = ({ code, message, callId, error }) => {
  const cause = error instanceof Error ? `: ${error.message}` : ''
  console.error(`handrail ${code} ${message}${cause}${callId ? ` (call ${callId})` : ''}`)
}
