import { RunChannel } from './run-channel.ts'

/** A reader who comes back gets a finished message for this long. */
const keepMs = 10 * 60_000

/** The channels of the threads that were lately at work in this process. */
export class Channels {
  readonly #channels = new Map<string, RunChannel>()

  of(tenantId: string, threadId: string): RunChannel {
    const key = `${tenantId}\n${threadId}`
    let channel = this.#channels.get(key)
    if (channel === undefined) {
      channel = new RunChannel()
      this.#channels.set(key, channel)
    }
    return channel
  }

  prune(now = Date.now()): void {
    for (const [key, { idleSince }] of this.#channels) {
      if (idleSince !== undefined && now - idleSince > keepMs) this.#channels.delete(key)
    }
  }

  dismiss(): void {
    for (const channel of this.#channels.values()) channel.dismiss()
  }
}
