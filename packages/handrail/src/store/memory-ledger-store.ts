import type { MemoryState } from './memory-state.ts'
import type { LedgerStore } from './store.ts'

/** The ledger in memory: one append-only list a tenant, and how much of it lies under seals. */
export function memoryLedgerStore(state: MemoryState): LedgerStore {
  return {
    async tenantsToSeal() {
      const found: string[] = []
      for (const [tenantId, tenant] of state.tenants) {
        if (tenant.entries.length > tenant.sealedCount) found.push(tenantId)
      }
      return found
    },

    async seal(tenantId, makeSeal) {
      const tenant = state.tenants.get(tenantId)
      if (tenant === undefined || tenant.entries.length === tenant.sealedCount) return undefined
      const seal = makeSeal(tenant.entries.slice(tenant.sealedCount), tenant.seals.at(-1))
      tenant.seals.push(seal)
      tenant.sealedCount = tenant.entries.length
      return seal
    },

    async *sealed(tenantId) {
      const tenant = state.tenants.get(tenantId)
      let start = 0
      for (const seal of tenant?.seals ?? []) {
        yield { seal, entries: tenant?.entries.slice(start, start + seal.count) ?? [] }
        start += seal.count
      }
    },

    async unsealed(tenantId) {
      const tenant = state.tenants.get(tenantId)
      return tenant?.entries.slice(tenant.sealedCount) ?? []
    },

    async tenants() {
      return [...state.tenants.keys()]
    },
  }
}
