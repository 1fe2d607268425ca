import type { Store } from 'handrail'

/** Where a process may be stopped or killed: the moments at which a crash is hardest to get right. */
export const faultPoints = ['after-claim', 'in-effect', 'after-post', 'after-commit', 'after-step'] as const
export type FaultPoint = (typeof faultPoints)[number]

export interface Fault {
  point: FaultPoint
  action: 'stop' | 'kill'
}

/** Waits for one point to be reached, and stops or kills this very process there. */
export class Faults {
  #armed: Fault | undefined

  arm(fault: Fault | undefined): void {
    this.#armed = fault
  }

  reach(point: FaultPoint): void {
    if (this.#armed?.point !== point) return
    const { action } = this.#armed
    this.#armed = undefined
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
        if (outcome.kind === 'claimed' && outcome.call.kind !== 'read') faults.reach('after-claim')
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
