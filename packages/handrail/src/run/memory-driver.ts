import type { RunDriver, RunRef } from './run-driver.ts'

/** Wakes runs within this process. */
export function memoryDriver(): RunDriver {
  let handler: ((run: RunRef) => Promise<void>) | undefined
  const timers = new Set<NodeJS.Timeout>()
  const wakeIn = (run: RunRef, delayMs: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      void handler?.(run)
    }, delayMs)
    timer.unref()
    timers.add(timer)
  }
  return {
    async start(given) {
      handler = given
    },
    async wake(run) {
      wakeIn(run, 0)
    },
    async wakeAt(run, at) {
      wakeIn(run, Math.max(0, at.getTime() - Date.now()))
    },
    async stop() {
      handler = undefined
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
