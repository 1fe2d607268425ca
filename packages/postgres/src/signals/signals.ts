import { randomUUID } from 'node:crypto'
import type { Signal, Signals } from 'handrail'
import type { Engine } from '../engine/engine.ts'

const channel = 'handrail_signals'
const topics: readonly string[] = ['approval', 'call', 'run', 'thread', 'changed'] satisfies Signal['topic'][]

/**
 * Signals to this process at once, and to others over one NOTIFY channel. They say that something changed, never what:
 * a signal that is lost costs its follower the time until it looks by itself.
 */
export function openSignals(engine: Engine): Signals & { close(): Promise<void> } {
  const listeners = new Set<(signal: Signal) => void>()
  const origin = randomUUID()
  let listening: Promise<() => Promise<void>> | undefined
  let waiting: Signal[] = []
  let flushing: Promise<void> | undefined

  const deliver = (signal: Signal): void => {
    for (const listener of [...listeners]) {
      try {
        listener(signal)
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error))
      }
    }
  }

  const flush = async (): Promise<void> => {
    // What is published in the same turn goes in one message.
    await Promise.resolve()
    const signals = waiting
    waiting = []
    flushing = undefined
    for (const batch of batches(signals)) await engine.notify(channel, JSON.stringify([origin, ...batch]))
  }

  return {
    async publish(signal) {
      deliver(signal)
      // The embedded database has one process, so everybody has heard of it already.
      if (engine.kind === 'pglite') return
      waiting.push(signal)
      flushing ??= flush()
      await flushing
    },

    subscribe(listener) {
      // A function of its own, so that the same listener can follow twice and stop once.
      const own = (signal: Signal): void => listener(signal)
      listeners.add(own)
      if (engine.kind === 'postgres' && listening === undefined) {
        listening = engine.listen(channel, (payload) => {
          for (const signal of read(payload, origin)) deliver(signal)
        })
        // Unreachable just now: followers look by themselves, and the next subscriber tries again.
        listening.catch(() => {
          listening = undefined
        })
      }
      return () => {
        listeners.delete(own)
      }
    },

    async close() {
      listeners.clear()
      const stop = await listening?.catch(() => undefined)
      await stop?.()
    },
  }
}

type WireSignal = [tenantId: string, topic: string, id: string]

/** NOTIFY takes less than 8,000 bytes. */
function batches(signals: readonly Signal[]): WireSignal[][] {
  const all: WireSignal[][] = [[]]
  let bytes = 0
  for (const { tenantId, topic, id } of signals) {
    const wire: WireSignal = [tenantId, topic, id]
    const size = Buffer.byteLength(JSON.stringify(wire)) + 1
    if (bytes + size > 7_500) {
      all.push([])
      bytes = 0
    }
    all.at(-1)?.push(wire)
    bytes += size
  }
  return all.filter((batch) => batch.length > 0)
}

/** What another process published; its own messages come back to it, too, and are left out. */
function read(payload: string, origin: string): Signal[] {
  let message: unknown
  try {
    message = JSON.parse(payload)
  } catch {
    return []
  }
  if (!Array.isArray(message) || message[0] === origin) return []
  return message.slice(1).flatMap((wire: unknown) => {
    if (!Array.isArray(wire)) return []
    const [tenantId, topic, id] = wire
    if (typeof tenantId !== 'string' || typeof topic !== 'string' || typeof id !== 'string' || !topics.includes(topic))
      return []
    return [{ tenantId, topic: topic as Signal['topic'], id }] // checked against the list of topics
  })
}
