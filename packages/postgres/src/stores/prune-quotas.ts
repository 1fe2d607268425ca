import { everyTenant } from '../transaction/tenant-transaction.ts'
import type { StoreTransactions } from './store-transactions.ts'

const dayMs = 86_400_000

/**
 * Removes counters whose window began more than a month ago, now and once a day. No limit of ours counts in longer
 * windows; those that count for ever begin at the epoch and stay.
 *
 * @returns ends the rounds, and waits for one that is under way
 */
export function pruneQuotas(transactions: StoreTransactions): () => Promise<void> {
  const prune = (): Promise<unknown> =>
    transactions
      .run(everyTenant, (session) =>
        session.last({
          text: `
            delete from handrail.quotas
            where window_start > to_timestamp(0) and window_start < now() - interval '31 days'`,
        }),
      )
      // Unreachable just now: the next round does it.
      .catch(() => {})
  let round = prune()
  const timer = setInterval(() => {
    round = prune()
  }, dayMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await round
  }
}
