import type { Seal } from '../ledger/ledger-entry.ts'
import type { Store } from '../store/store.ts'
import { makeSeal, type SealKey } from './seal.ts'

export interface Sealer {
  /** Seals what stands, once more, and stops. */
  stop(): Promise<void>
  /** Puts everything that is not yet sealed under a seal, in every workspace. Throws what the store throws. */
  sealNow(): Promise<void>
}

export interface SealerOptions {
  /** How often, in milliseconds. Default 1,000. */
  everyMs?: number
  /** Told of each new seal: the place to keep an anchor outside the database. */
  onSealed?: (seal: Seal) => void
  /** Told when a round failed; the next round tries again. Default: a process warning. */
  onError?: (error: unknown) => void
}

/**
 * Seals the ledger in the background: one round at a time, each workspace's new entries under one seal.
 * Several processes may do so at once; the store lets one seal a workspace at a time.
 *
 * @example
 * const sealer = startSealer(store, process.env.HANDRAIL_SEAL_KEY)
 * await sealer.stop()
 */
export function startSealer(store: Pick<Store, 'ledger'>, key: SealKey, options: SealerOptions = {}): Sealer {
  const { everyMs = 1_000, onSealed, onError = warn } = options
  const seal = makeSeal(key)
  let round: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function sealAll(): Promise<void> {
    const failures: unknown[] = []
    for (const tenantId of await store.ledger.tenantsToSeal()) {
      try {
        const made = await store.ledger.seal(tenantId, seal)
        if (made !== undefined) onSealed?.(made)
      } catch (error) {
        failures.push(error)
      }
    }
    // One workspace that cannot be sealed keeps no other from it.
    if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures)
  }

  /** Rounds follow each other: what was written before this is called is sealed when it resolves. */
  function sealNow(): Promise<void> {
    const next = (round ?? Promise.resolve()).then(sealAll, sealAll)
    round = next
    return next
  }

  function schedule(): void {
    if (isStopped) return
    timer = setTimeout(() => sealNow().catch(onError).then(schedule), everyMs)
    timer.unref()
  }

  schedule()
  return {
    sealNow,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await sealNow()
    },
  }
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error), { code: 'LEDGER_NOT_SEALED' })
}
