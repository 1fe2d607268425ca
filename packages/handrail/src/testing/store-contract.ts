import { afterAll, beforeAll, describe } from 'vitest'
import type { Store } from '../store/store.ts'
import { approvalContract } from './store-contract/approval-contract.ts'
import { approvedCallContract } from './store-contract/approved-call-contract.ts'
import { claimContract } from './store-contract/claim-contract.ts'
import { endingContract } from './store-contract/ending-contract.ts'
import { leaseContract } from './store-contract/lease-contract.ts'
import { ledgerContract } from './store-contract/ledger-contract.ts'
import { listContract } from './store-contract/list-contract.ts'
import { runContract } from './store-contract/run-contract.ts'
import { signalContract } from './store-contract/signal-contract.ts'
import { tenantContract } from './store-contract/tenant-contract.ts'
import { threadContract } from './store-contract/thread-contract.ts'

export { claimed, fenceOf, freshTenant, newClaim, sampleCall, sampleEnding } from './store-contract/samples.ts'

/** Data of services, for stores that hold it: shows that an effect commits with its outcome or not at all. */
export interface StoreData {
  /** Writes one row through the handle that a transaction was given. */
  write(db: unknown, tenantId: string, id: string): Promise<void>
  /** Is that row there for everybody? */
  has(tenantId: string, id: string): Promise<boolean>
}

export interface StoreContractOptions {
  /** Given by a store whose handed transactions can be rolled back. */
  data?: StoreData
  /** How long opening, and each test, may take, in milliseconds. Default 30,000. */
  timeoutMs?: number
}

/**
 * What every store must do, as a vitest suite. Call it at the top of a test file, once for each kind of store.
 *
 * The store is opened once and each test uses a workspace of its own. No test waits for time to pass: what must have
 * run out is given a negative duration, so any clock will do.
 *
 * @param name names the suite: `store: memory`
 * @param open opens a store that nobody else uses, and says how to close it
 *
 * It has an entry of its own, `handrail/testing/store-contract`, because it needs vitest.
 *
 * @example
 * storeContract('memory', async () => ({ store: createMemoryStore(), close: async () => {} }))
 */
export function storeContract(
  name: string,
  open: () => Promise<{ store: Store; close(): Promise<void> }>,
  options: StoreContractOptions = {},
): void {
  const { data, timeoutMs = 30_000 } = options
  describe(`store: ${name}`, { timeout: timeoutMs }, () => {
    let opened: { store: Store; close(): Promise<void> } | undefined
    const store = (): Store => {
      if (opened === undefined) throw new Error('the store is not open')
      return opened.store
    }
    beforeAll(async () => {
      opened = await open()
    }, timeoutMs)
    afterAll(async () => {
      await opened?.close()
    }, timeoutMs)

    claimContract(store)
    endingContract(store, data)
    approvalContract(store)
    approvedCallContract(store)
    listContract(store)
    ledgerContract(store)
    threadContract(store)
    runContract(store)
    leaseContract(store)
    signalContract(store)
    tenantContract(store)
  })
}
