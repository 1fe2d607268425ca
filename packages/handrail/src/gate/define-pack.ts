import { completePack, type Pack, type PackDefinition } from '../pack/pack.ts'
import type { Principal, Scope } from '../principal/principal.ts'
import type { ToolRegistry } from '../registry/tool-registry.ts'
import type { Store } from '../store/store.ts'
import type { ServiceTypes } from '../tool/define-tool.ts'
import { createGate, type Gate } from './gate.ts'

/** A pack that can be used on its own, without a server. */
export interface DefinedPack<Services extends ServiceTypes = ServiceTypes, Db = unknown, Demo = unknown>
  extends Pack<Services, Db, Demo> {
  /**
   * The tools this principal may call, behind a gate of their own.
   *
   * @param db where the pack's data and the ledger are: what `openDatabase` or `postgresStore` gave
   * @example
   * const tools = gameplan.createTools({ db, principal, scope: { projectId } })
   * await tools.executeTool('list_game_systems', {}) // '{"success":true,"data":{"items":[…]},…}'
   */
  createTools(request: { db: Store; principal: Principal; scope?: Scope }): ToolRegistry
}

/** Declares a domain: its tools, services, roles, instructions and demo data. */
export function definePack<Services extends ServiceTypes, Db, Demo>(
  definition: PackDefinition<Services, Db, Demo>,
): DefinedPack<Services, Db, Demo> {
  const pack = completePack(definition)
  const gates = new WeakMap<Store, Gate>()
  return {
    ...pack,
    createTools({ db, principal, scope }) {
      let gate = gates.get(db)
      if (gate === undefined) {
        gate = createGate({ packs: [pack], store: db })
        gates.set(db, gate)
      }
      return gate.registry(principal, scope ? { scope, pack: pack.name } : { pack: pack.name })
    },
  }
}
