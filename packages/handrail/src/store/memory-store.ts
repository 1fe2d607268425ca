import { memoryApprovalStore } from './memory-approval-store.ts'
import { memoryCallStore } from './memory-call-store.ts'
import { memoryLedgerStore } from './memory-ledger-store.ts'
import { memoryRunStore } from './memory-run-store.ts'
import { memorySignals } from './memory-signals.ts'
import { MemoryState } from './memory-state.ts'
import type { Store } from './store.ts'

/**
 * A store that lives and dies with the process: for tests, examples, and applications that keep no record.
 * It behaves as a database would, except that a rolled-back effect undoes nothing outside of it.
 *
 * @param options.now the clock; default the system's
 * @param options.db handed to services where a database store hands its transaction
 */
export function createMemoryStore(options: { now?: () => Date; db?: unknown } = {}): Store {
  const state = new MemoryState(options.now ?? (() => new Date()), options.db)
  return {
    calls: memoryCallStore(state),
    approvals: memoryApprovalStore(state),
    ledger: memoryLedgerStore(state),
    runs: memoryRunStore(state),
    signals: memorySignals(),
    async close() {},
  }
}
