import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from './client.ts'
import { type Fault, faultPoints } from './faults.ts'
import type { Fleet, Member } from './fleet.ts'
import type { Home } from './home.ts'
import type { Random } from './random.ts'

/** Longer than a lease (4 s), and than an attempt (1.5 + 5 s) with the reconciler's round (3 s): others take over. */
const longStopMs = 10_500

type Act = Fault | { act: 'kill' | 'stop-shortly' | 'stop-long' | 'shut-down' | 'cut-connections' }

/** Twice in every round: what the fence and the row's lock are there for. */
const mostTelling: readonly Act[] = [
  { point: 'before-effect', action: 'stop' },
  { point: 'in-effect', action: 'stop' },
]
const withSeveral: readonly Act[] = [
  { point: 'before-post', action: 'stop' },
  { point: 'after-post', action: 'stop' },
  { point: 'after-step', action: 'stop' },
  ...faultPoints.map((point) => ({ point, action: 'kill' as const })),
  { act: 'kill' },
  { act: 'kill' },
  { act: 'stop-shortly' },
  { act: 'stop-long' },
  { act: 'shut-down' },
  { act: 'cut-connections' },
]

const withOne: readonly Act[] = [
  ...faultPoints.map((point) => ({ point, action: 'kill' as const })),
  { act: 'kill' },
  { act: 'kill' },
  { act: 'stop-shortly' },
  { act: 'shut-down' },
]

/** Does harm to the fleet and its database, in an order that follows from the seed. */
export class Nemesis {
  readonly counts: Record<string, number> = {}
  readonly #home: Home
  readonly #fleet: Fleet
  readonly #client: Client
  readonly #random: Random

  constructor(home: Home, fleet: Fleet, client: Client) {
    this.#home = home
    this.#fleet = fleet
    this.#client = client
    this.#random = client.random
  }

  /** Goes on until `endAt` (of `performance.now()`); in the middle, once, the queue is emptied and the database crashes. */
  async run(endAt: number): Promise<void> {
    const beganAt = performance.now()
    const once = [
      { at: beganAt + (endAt - beganAt) * 0.5, does: () => this.#emptyQueue() },
      { at: beganAt + (endAt - beganAt) * 0.7, does: () => this.#crash() },
    ]
    let deck: Act[] = []
    while (performance.now() < endAt) {
      await wait(this.#random.between(500, 1_800))
      const due = once.findIndex(({ at }) => performance.now() > at)
      if (due >= 0) await once.splice(due, 1)[0]?.does()
      if (deck.length === 0) deck = this.#newDeck()
      const act = deck.pop()
      // What finds nobody to strike comes again before the round is over.
      if (act && !(await this.#do(act))) deck.unshift(act)
    }
  }

  /** Takes every armed fault back. */
  async calm(): Promise<void> {
    for (const member of this.#fleet.ready()) await this.#client.ask('/arm', {}, { member, withinMs: 1_000 })
  }

  #newDeck(): Act[] {
    if (this.#home.kind === 'embedded') return this.#shuffled(withOne)
    const rest = this.#shuffled(withSeveral)
    const middle = rest.length / 2
    return [
      ...rest.slice(0, middle),
      ...this.#shuffled(mostTelling),
      ...rest.slice(middle),
      ...this.#shuffled(mostTelling),
    ]
  }

  /** False when there is nobody whom it could strike now. */
  async #do(act: Act): Promise<boolean> {
    if ('point' in act) return this.#arm(act)
    if (act.act === 'cut-connections') {
      await this.#home.cutConnections?.().catch(() => {})
      this.#count(act.act)
      return true
    }
    const member = this.#victim(act.act === 'stop-shortly' || act.act === 'stop-long')
    if (member === undefined) return false
    this.#count(act.act)
    if (act.act === 'kill') this.#fleet.kill(member)
    else if (act.act === 'shut-down') this.#fleet.shutDown(member)
    else this.#fleet.stop(member, act.act === 'stop-long' ? longStopMs : this.#random.between(300, 2_000))
    return true
  }

  /** The fault strikes whenever the member next gets to that point. */
  async #arm(fault: Fault): Promise<boolean> {
    const member = this.#victim(fault.action === 'stop', fault.point === 'after-step' ? undefined : 'server')
    if (member === undefined) return false
    member.stopMs = longStopMs
    const isArmed = (await this.#client.ask('/arm', { fault }, { member, withinMs: 1_000 })) !== undefined
    if (isArmed) this.#count(`${fault.action} ${fault.point}`)
    return isArmed
  }

  /** Somebody who lives; where stops are long, one server at least goes on. */
  #victim(isStop: boolean, role?: Member['role']): Member | undefined {
    const awake = this.#fleet.ready(role).filter(({ isStopped }) => !isStopped)
    const servers = this.#fleet.ready('server').filter(({ isStopped }) => !isStopped)
    const candidates =
      isStop && this.#home.kind === 'postgres' && servers.length < 2
        ? awake.filter((member) => member.role !== 'server')
        : awake
    return candidates.length > 0 ? this.#random.pick(candidates) : undefined
  }

  async #emptyQueue(): Promise<void> {
    for (let tries = 0; tries < 20; tries++) {
      const answer = await this.#client.ask('/sql', { text: 'delete from pgboss.job' })
      if (answer) return this.#count('queue emptied')
      await wait(200)
    }
  }

  async #crash(): Promise<void> {
    if (this.#home.crash === undefined) return
    this.#fleet.mayFailToStart = true
    await this.#home.crash().catch(() => {})
    this.#count('database crashed')
    setTimeout(() => {
      this.#fleet.mayFailToStart = false
    }, 10_000).unref()
  }

  #shuffled(acts: readonly Act[]): Act[] {
    const deck = [...acts]
    for (let last = deck.length - 1; last > 0; last--) {
      const other = this.#random.between(0, last)
      const [a, b] = [deck[last], deck[other]]
      if (a && b) [deck[last], deck[other]] = [b, a]
    }
    return deck
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1
  }
}
