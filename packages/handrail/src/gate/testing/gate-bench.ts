import { z } from 'zod'
import type { LedgerEntry } from '../../ledger/ledger-entry.ts'
import { asAgent, type Principal } from '../../principal/principal.ts'
import { createMemoryStore } from '../../store/memory-store.ts'
import type { Store } from '../../store/store.ts'
import { demoPeople, principalOf } from '../../testing/demo-people.ts'
import { defineTool } from '../../tool/define-tool.ts'
import type { ExecuteContext, Tool } from '../../tool/tool.ts'
import { isAsking } from '../../tool/tool-result.ts'
import type { CallOutcome, CallRequest } from '../call-request.ts'
import { createGate, type Gate, type GateOptions } from '../gate.ts'
import type { OperatorReport } from '../gate-context.ts'

type Execute = (context: ExecuteContext<{ text: string }, unknown>) => unknown

/** A tool of any nature whose effect a test decides. Counts how often it was started. */
export function probe(
  changes: Partial<Omit<Tool, 'execute' | 'inputSchema'>> & { execute?: Execute } = {},
): Tool & { starts: number } {
  const { execute = () => ({ ok: true }), ...rest } = changes
  const base = defineTool({
    name: 'probe',
    category: 'test',
    kind: rest.kind ?? 'create',
    ...(rest.kind === 'read' ? {} : { effect: rest.effect ?? 'transaction' }),
    description: 'Does what a test wants.',
    inputSchema: z.strictObject({ text: z.string().min(1).max(100) }),
    egress: false,
    untrusted: false,
    execute: () => undefined,
    examples: [],
  })
  const tool = {
    ...base,
    ...rest,
    starts: 0,
    execute(context: ExecuteContext<never, never>) {
      tool.starts += 1
      return execute(context)
    },
  }
  return tool
}

export interface GateBench {
  gate: Gate
  store: Store
  reports: Parameters<OperatorReport>[0][]
  as(name: string): Principal
  call(input: unknown, changes?: Partial<CallRequest> & { by?: string }): Promise<CallOutcome>
  /** The events about a call on the ledger, in order. */
  events(callId: string): Promise<string[]>
}

/** A gate over the given tools in memory, with the demo people. `call` calls the first tool as a model would for `alice`. */
export function gateBench(tools: readonly Tool[], options: Partial<GateOptions> = {}): GateBench {
  const { store = createMemoryStore(), ...rest } = options
  const reports: GateBench['reports'] = []
  const gate = createGate({
    ...(options.packs ? {} : { tools, roles: { owner: 'all', member: 'all', reader: { kinds: ['read'] } } }),
    report: (event) => reports.push(event),
    ...rest,
    store,
  })
  const as = (name: string): Principal => {
    const person = demoPeople[name]
    if (person === undefined) throw new Error(`no demo person ${name}`)
    return principalOf(name, person.workspace, person.roles)
  }
  return {
    gate,
    store,
    reports,
    as,
    call: (input, { by = 'alice', ...changes } = {}) =>
      gate.call({ name: tools[0]?.name ?? '', input, principal: asAgent(as(by)), ...changes }),
    async events(callId) {
      const entries: LedgerEntry[] = []
      for (const tenantId of await store.ledger.tenants()) entries.push(...(await store.ledger.unsealed(tenantId)))
      return entries.filter((entry) => entry.callId === callId).map(({ event }) => event)
    },
  }
}

/** The code of a failed call; throws for one that succeeded or asks. */
export function codeOf({ result }: Pick<CallOutcome, 'result'>): string {
  if (!('code' in result)) throw new Error(`it did not fail: ${JSON.stringify(result)}`)
  return result.code
}

/** The id under which a call waits; throws for one that does not. */
export function approvalOf({ result }: Pick<CallOutcome, 'result'>): string {
  if (!isAsking(result)) throw new Error(`it did not ask: ${JSON.stringify(result)}`)
  return result.approvalId
}

/** A promise that a test settles. */
export function deferred<T = void>() {
  return Promise.withResolvers<T>()
}

/** Waits until something is so, and fails when it does not become so within five seconds. */
export async function until(isSo: () => boolean | Promise<boolean>, what = 'it'): Promise<void> {
  const end = performance.now() + 5_000
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what} did not become so`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
