import type { Signal, Signals } from './store.ts'

/** Signals within one process. A listener that throws is warned about and disturbs nobody else. */
export function memorySignals(): Signals {
  const listeners = new Set<(signal: Signal) => void>()
  return {
    async publish(signal) {
      for (const listener of [...listeners]) {
        try {
          listener(signal)
        } catch (error) {
          process.emitWarning(error instanceof Error ? error : String(error))
        }
      }
    },
    subscribe(listener) {
      // A function of its own, so that the same listener can follow twice and stop once.
      const own = (signal: Signal): void => listener(signal)
      listeners.add(own)
      return () => {
        listeners.delete(own)
      }
    },
  }
}
