import type { Store } from 'handrail'

/** Where a process may be stopped or killed: the moments at which a crash is hardest to get right. */
export const faultPoints = [
  /** Between the two transactions: the call is claimed, its effect has not begun. */
  'before-effect',
  /** The effect's statements have been made, its transaction is open. */
  'in-effect',
  /** The effect is committed, nobody has been told. */
  'after-commit',
  /** The call is claimed, the service outside has not been called. */
  'before-post',
  /** The service outside has answered, nothing is on record. */
  'after-post',
  /** The model's step is on record, none of its calls has begun. */
  'after-step',
] as const
export type FaultPoint = (typeof faultPoints)[number]

export interface Fault {
  point: FaultPoint
  action: 'stop' | 'kill'
}

/** Waits for points to be reached, and stops or kills this very process there. Each fault strikes once. */
export class Faults {
  readonly #armed = new Map<FaultPoint, Fault['action']>()

  arm({ point, action }: Fault): void {
    this.#armed.set(point, action)
  }

  disarm(): void {
    this.#armed.clear()
  }

  reach(point: FaultPoint): void {
    const action = this.#armed.get(point)
    if (action === undefined) return
    this.#armed.delete(point)
    process.kill(process.pid, action === 'stop' ? 'SIGSTOP' : 'SIGKILL')
  }
}

/** The same store, with fault points between its transactions. */
export function withFaults(store: Store, faults: Faults): Store {
  const { calls, runs } = store
  return {
    ...store,
    calls: {
      ...calls,
      async claim(request) {
        const outcome = await calls.claim(request)
        if (outcome.kind === 'claimed' && outcome.call.kind !== 'read')
          faults.reach(outcome.call.effect === 'external' ? 'before-post' : 'before-effect')
        return outcome
      },
      async transact(fence, effect) {
        const outcome = await calls.transact(fence, effect)
        if (outcome.kind === 'committed') faults.reach('after-commit')
        return outcome
      },
    },
    runs: {
      ...runs,
      async recordStep(tenantId, lease, step, activeMs) {
        const isRecorded = await runs.recordStep(tenantId, lease, step, activeMs)
        if (isRecorded && step.calls.length > 0) faults.reach('after-step')
        return isRecorded
      },
    },
  }
}
