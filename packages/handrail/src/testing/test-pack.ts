import type { CallOutcome } from '../gate/call-request.ts'
import { createGate, type Gate, type GateOptions } from '../gate/gate.ts'
import { outcomeOf } from '../gate/outcome.ts'
import type { Pack } from '../pack/pack.ts'
import { asAgent, type Principal, type Scope } from '../principal/principal.ts'
import type { ServiceTypes } from '../tool/define-tool.ts'
import type { Tool } from '../tool/tool.ts'
import { isAsking } from '../tool/tool-result.ts'
import { type DemoPerson, demoPeople, principalOf } from './demo-people.ts'
import type { PackTestDatabase } from './pack-test-database.ts'

export interface TestCallOptions {
  /** Who asks; default `alice`. */
  as?: string
  /** Default: the demo's own scope. */
  scope?: Scope
  idempotencyKey?: string
  /**
   * What becomes of a call that asks: `true` is approved and `false` declined by whoever called, a name approves as that
   * person. Left out, the call stays waiting.
   */
  approve?: boolean | string
}

export interface TestPackOptions extends Pick<GateOptions, 'policy' | 'limits' | 'report'> {
  /** More people, or other roles for the demo people. */
  people?: Readonly<Record<string, DemoPerson>>
  /** Ids of the two workspaces, where several tests share a database. Default `acme` and `other`. */
  tenants?: { acme: string; other: string }
}

/** A pack over demo data, called as its demo people would have a model call it. */
export interface TestPack<Demo = unknown> {
  /**
   * Takes a call through the gate, with a model's hand.
   *
   * @throws when `approve` could not be carried out: the person may not decide it
   */
  call(name: string, input: unknown, options?: TestCallOptions): Promise<CallOutcome>
  /** Where the demo data of workspace `acme` is. */
  readonly demo: Demo
  readonly scope: Scope
  /** The same of workspace `other`. */
  readonly other: { demo: Demo; scope: Scope }
  readonly tools: readonly Tool[]
  readonly gate: Gate
  readonly database: PackTestDatabase
  /** The person's own principal. */
  as(name: string): Principal
  close(): Promise<void>
}

/**
 * Opens a pack for a test: two workspaces with its demo data, and a gate.
 *
 * @example
 * const pack = await testPack(gameplan, await openPackDatabase(gameplan))
 * const { result } = await pack.call('delete_game_system', { systemId: pack.demo.oldPrototype }, { approve: true })
 * // { success: true, data: { name: 'Old Prototype', … }, message: 'Deleted game system "Old Prototype"' }
 */
export async function testPack<Demo>(
  pack: Pack<ServiceTypes, unknown, Demo>,
  database: PackTestDatabase,
  options: TestPackOptions = {},
): Promise<TestPack<Demo>> {
  const { tenants = { acme: 'acme', other: 'other' }, people: morePeople, ...gateOptions } = options
  const people = { ...demoPeople, ...morePeople }
  const as = (name: string): Principal => {
    const person = people[name]
    if (person === undefined) throw new Error(`there is no demo person \`${name}\``)
    return principalOf(name, tenants[person.workspace], person.roles)
  }
  const gate = createGate({ ...gateOptions, packs: [pack], store: database.store })
  const acme = await seed(pack, database, as('alice'))
  const other = await seed(pack, database, as('mallory'))

  return {
    demo: acme.demo,
    scope: acme.scope,
    other,
    tools: pack.tools,
    gate,
    database,
    as,
    async call(name, input, { as: caller = 'alice', scope, idempotencyKey, approve } = {}) {
      const principal = as(caller)
      const own = principal.tenantId === tenants.other ? other.scope : acme.scope
      const outcome = await gate.call({
        name,
        input,
        pack: pack.name,
        principal: asAgent(principal),
        scope: scope ?? own,
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      })
      if (approve === undefined || !isAsking(outcome.result)) return outcome
      const decider = typeof approve === 'string' ? as(approve) : principal
      return decide(gate, outcome, decider, approve !== false)
    },
    close: () => database.close(),
  }
}

async function decide(
  gate: Gate,
  { record, result }: CallOutcome,
  principal: Principal,
  approve: boolean,
): Promise<CallOutcome> {
  const approvalId = isAsking(result) ? result.approvalId : ''
  const decided = await gate.decide({ approvalId, decision: approve ? 'approve' : 'decline', principal })
  if (decided.kind === 'refused') {
    throw new Error(`\`${principal.userId}\` could not decide on \`${record.toolName}\`: ${decided.message}`)
  }
  const call = await gate.store.calls.get(principal.tenantId, record.callId)
  const governed = gate.packs.get(record.pack)
  if (call === undefined || governed === undefined) throw new Error(`call \`${record.callId}\` is not there any more`)
  return outcomeOf(governed, governed.tools.get(record.toolName), call)
}

async function seed<Demo>(
  pack: Pack<ServiceTypes, unknown, Demo>,
  database: PackTestDatabase,
  owner: Principal,
): Promise<{ demo: Demo; scope: Scope }> {
  const { demo } = pack
  if (demo === undefined) throw new Error(`pack \`${pack.name}\` has no \`demo\`, which its examples need`)
  const { ids, scope } = await database.transaction(owner.tenantId, async (db) =>
    demo.call(pack, { db, principal: owner, scope: {} }),
  )
  return { demo: ids, scope }
}
