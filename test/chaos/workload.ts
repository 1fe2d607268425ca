import { setTimeout as wait } from 'node:timers/promises'
import { Client } from './client.ts'
import type { CallAnswer, Person } from './control.ts'
import type { Fleet } from './fleet.ts'
import type { History } from './history.ts'
import { Random } from './random.ts'

const tenants = ['acme', 'other'] as const
/** Whose approvals anybody's decisions race for. */
const users = ['alice', 'bob', 'carol'] as const
/** Whose stored arguments are tampered with; nobody else decides on hers. */
const victim = 'tess'
/** Whose approvals are left until they expire, or nearly so. */
const late = 'eve'

const isEnded = ({ status }: CallAnswer): boolean => status !== 'running' && status !== 'awaiting_approval'
const isStored = ({ status }: CallAnswer): boolean => status !== 'running'

/** What clients do all at once while the nemesis is at work: every kind of call, twice and in doubt. */
export class Workload {
  readonly #fleet: Fleet
  readonly #history: History
  readonly #seed: number
  #counter = 0
  /** Calls whose outcome is still owed to their client. */
  readonly #owed: Promise<unknown>[] = []
  #deadline = Number.POSITIVE_INFINITY

  constructor(fleet: Fleet, history: History, seed: number) {
    this.#fleet = fleet
    this.#history = history
    this.#seed = seed
  }

  /** Works until `endAt`; what is under way then goes on. */
  async run(endAt: number, clients: number): Promise<void> {
    const loops = Array.from({ length: clients }, (_, index) => this.#loop(this.client(`client-${index + 1}`), endAt))
    await Promise.all([
      ...loops,
      this.#decide(this.client('decider-1'), endAt),
      this.#decide(this.client('decider-2'), endAt),
    ])
  }

  /** Waits until every client has the outcome of everything it asked for; false when that takes too long. */
  async settle(deadline: number): Promise<boolean> {
    this.#deadline = deadline
    const state = this.client('watcher')
    const deciding = this.#decide(this.client('decider-3'), deadline)
    while (performance.now() < deadline) {
      const now = await state.ask('/state', {})
      if (now && now.running + now.waiting + now.liveRuns + now.queued === 0) break
      await wait(300)
    }
    const left = Math.max(0, deadline - performance.now())
    const isSettled = await Promise.race([Promise.all(this.#owed).then(() => true), wait(left, false, { ref: false })])
    this.#deadline = 0
    await deciding
    return isSettled
  }

  client(name: string): Client {
    const offset = [...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7)
    return new Client(name, new Random(this.#seed + offset), this.#fleet, this.#history)
  }

  async #loop(client: Client, endAt: number): Promise<void> {
    const { random } = client
    const acts: [number, () => Promise<unknown>][] = [
      [6, () => this.#call(client, 'add_entry')],
      [3, () => this.#call(client, 'post_keyed')],
      [3, () => this.#call(client, 'post_once')],
      [
        1,
        () =>
          client.ask('/call', { person: this.#someone(random), name: 'count_entries', input: {}, key: this.#key() }),
      ],
      [3, () => this.#duplicates(client)],
      [2, () => this.#otherInput(client)],
      [2, () => this.#disconnect(client)],
      [3, () => this.#askAndRace(client)],
      [2, () => this.#tamper(client)],
      [1, () => this.#almostLate(client)],
      [2, () => this.#converse(client)],
      [1, () => this.#settleUnknown(client)],
    ]
    const weighed = acts.flatMap(([weight, act]) => Array.from({ length: weight }, () => act))
    while (performance.now() < endAt) {
      await random.pick(weighed)()
      await wait(random.between(5, 60))
    }
  }

  /** The same key, until there is an outcome. Others decide, where it waits for a person. */
  async #call(client: Client, name: string): Promise<void> {
    this.#oweOutcome(client, this.#someone(client.random), name, this.#key())
    await wait(client.random.between(10, 60))
  }

  /** Several requests with one key at once, to several processes. */
  async #duplicates(client: Client): Promise<void> {
    const { random } = client
    const person = this.#someone(random)
    const name = random.pick(['add_entry', 'add_entry', 'post_once', 'post_keyed', 'clear_entry'])
    const key = this.#key()
    const request = { person, name, input: { note: key }, key }
    await Promise.all(Array.from({ length: random.between(2, 5) }, () => client.ask('/call', request)))
    this.#oweOutcome(client, person, name, key)
  }

  /** A key that comes again with other arguments: one of the two runs, the other never does. */
  async #otherInput(client: Client): Promise<void> {
    const { random } = client
    const person = this.#someone(random)
    const name = random.pick(['add_entry', 'post_once', 'post_keyed', 'clear_entry'])
    const key = this.#key()
    const requests = [key, `${key} other`].map((note) => ({ person, name, input: { note }, key }))
    if (random.chance(0.5)) await Promise.all(requests.map((request) => client.ask('/call', request)))
    else for (const request of requests) await client.askUntil('/call', request, () => true, this.#within(8_000))
  }

  /** Hangs up before the answer, and asks again. */
  async #disconnect(client: Client): Promise<void> {
    const { random } = client
    const person = this.#someone(random)
    const name = random.pick(['add_entry', 'post_once', 'post_keyed', 'clear_entry'])
    const key = this.#key()
    await client.ask('/call', { person, name, input: { note: key }, key }, { withinMs: random.between(1, 40) })
    this.#oweOutcome(client, person, name, key)
  }

  /** A call that asks; then several people decide differently, while its own client asks for it again. */
  async #askAndRace(client: Client): Promise<void> {
    const { random } = client
    const person = this.#someone(random)
    const key = this.#key()
    const request = { person, name: 'clear_entry', input: { note: key }, key }
    const asked = await client.askUntil('/call', request, isStored, this.#within(10_000))
    this.#oweOutcome(client, person, 'clear_entry', key)
    if (asked?.approvalId === undefined || random.chance(0.2)) return
    const again = Array.from({ length: random.between(0, 3) }, () => client.ask('/call', request))
    await Promise.all([...this.#decisions(client, person.tenantId, asked.approvalId, key), ...again])
  }

  #decisions(client: Client, tenantId: string, approvalId: string, note: string): Promise<unknown>[] {
    const { random } = client
    return Array.from({ length: random.between(1, 4) }, () => {
      const decision = random.chance(0.65) ? ('approve' as const) : ('decline' as const)
      const edited = decision === 'approve' && random.chance(0.3) ? { input: { note: `${note} edited` } } : {}
      return client.ask('/decide', {
        person: { tenantId, userId: random.pick(users) },
        approvalId,
        decision,
        ...edited,
      })
    })
  }

  /** Somebody with the database's password changes what was asked for; then a person approves what they had been shown. */
  async #tamper(client: Client): Promise<void> {
    const { random } = client
    const person = { tenantId: random.pick(tenants), userId: victim }
    const key = this.#key()
    const request = { person, name: 'clear_entry', input: { note: key }, key }
    const asked = await client.askUntil('/call', request, isStored, this.#within(5_000))
    if (asked?.approvalId === undefined) return
    const { callId, approvalId } = asked
    await client.ask('/sql', {
      text: 'update handrail.call_payloads set input = $3::json where tenant_id = $1 and call_id = $2',
      values: [person.tenantId, callId, JSON.stringify({ note: `${key} tampered` })],
    })
    await client.ask('/decide', { person, approvalId, decision: 'approve' })
    this.#owed.push(
      client.askUntil(
        '/look',
        { tenantId: person.tenantId, callId },
        (call) => call != null && isEnded(call),
        () => this.#deadline,
      ),
    )
  }

  /** A decision about when the time for it ends. */
  async #almostLate(client: Client): Promise<void> {
    const { random } = client
    const person = { tenantId: random.pick(tenants), userId: late }
    const key = this.#key()
    const request = { person, name: 'clear_entry', input: { note: key }, key }
    const asked = await client.askUntil('/call', request, isStored, this.#within(5_000))
    this.#oweOutcome(client, person, 'clear_entry', key)
    const { approvalId } = asked ?? {}
    if (approvalId === undefined || random.chance(0.5)) return
    const decide = async () => {
      await wait(random.between(7_900, 8_100))
      await client.ask('/decide', { person, approvalId, decision: 'approve' })
    }
    this.#owed.push(decide())
  }

  /** A run over several steps; perhaps another message while it works, perhaps it is stopped. */
  async #converse(client: Client): Promise<void> {
    const { random } = client
    const person = this.#someone(random)
    const threadId = this.#key()
    const messages = Array.from({ length: random.chance(0.4) ? 2 : 1 }, () => this.#script(random))
    const converse = async () => {
      await client.askUntil(
        '/thread',
        { person, threadId },
        () => true,
        () => this.#deadline,
      )
      for (const text of messages) {
        const message = { person, threadId, messageId: this.#key(), text }
        const sent = await client.askUntil(
          '/send',
          message,
          () => true,
          () => this.#deadline,
        )
        await wait(random.between(0, 400))
        if (sent?.runId && random.chance(0.1)) await client.ask('/cancel', { person, runId: sent.runId })
      }
    }
    this.#owed.push(converse())
    await wait(random.between(20, 200))
  }

  /** Paragraphs are steps, their lines are calls. Every line has a note of its own. */
  #script(random: Random): string {
    const step = () =>
      Array.from({ length: random.between(1, 3) }, () => {
        const name = random.pick(['add_entry', 'add_entry', 'post_once', 'post_keyed', 'count_entries', 'clear_entry'])
        return `/${name} ${JSON.stringify(name === 'count_entries' ? {} : { note: this.#key() })}`
      }).join('\n')
    return Array.from({ length: random.between(1, 4) }, step).join('\n\n')
  }

  /** A person says what became of an unknown outcome, while it may still arrive by itself. */
  async #settleUnknown(client: Client): Promise<void> {
    const { random } = client
    const tenantId = random.pick(tenants)
    const unknown = await client.ask('/unknown', { tenantId })
    if (unknown === undefined || unknown.length === 0 || random.chance(0.5)) return
    const { callId } = random.pick(unknown)
    const outcome = random.pick(['happened', 'did_not_happen'] as const)
    await client.ask('/settle', { person: { tenantId, userId: random.pick(users) }, callId, outcome })
  }

  /** Decides on whatever waits, runs' calls included. */
  async #decide(client: Client, endAt: number): Promise<void> {
    const { random } = client
    while (performance.now() < Math.min(endAt, this.#deadline)) {
      const tenantId = random.pick(tenants)
      const pending = (await client.ask('/pending', { tenantId })) ?? []
      const open = pending.filter(({ userId }) => userId !== victim && userId !== late)
      if (open.length > 0)
        await Promise.all(this.#decisions(client, tenantId, random.pick(open).approvalId, this.#key()))
      await wait(random.between(50, 250))
    }
  }

  #oweOutcome(client: Client, person: Person, name: string, key: string): void {
    this.#owed.push(
      client.askUntil('/call', { person, name, input: { note: key }, key }, isEnded, () => this.#deadline),
    )
  }

  #someone(random: Random): Person {
    return { tenantId: random.pick(tenants), userId: random.pick(users) }
  }

  /** Ends in hex digits, by which the service outside behaves. */
  #key(): string {
    this.#counter += 1
    return `k${this.#counter}-${Math.imul(this.#counter, 0x9e3779b1).toString(16).slice(-4)}`
  }

  #within(ms: number): () => number {
    const end = performance.now() + ms
    return () => Math.min(end, this.#deadline)
  }
}
