import { setTimeout as wait } from 'node:timers/promises'
import type { Answers, Path, Requests } from './control.ts'
import type { Fleet, Member } from './fleet.ts'
import type { History } from './history.ts'
import type { Random } from './random.ts'

const answerWithinMs = 5_000

/** A client of the fleet: knows its servers, not which of them lives. */
export class Client {
  readonly name: string
  readonly random: Random
  readonly #fleet: Fleet
  readonly #history: History

  constructor(name: string, random: Random, fleet: Fleet, history: History) {
    this.name = name
    this.random = random
    this.#fleet = fleet
    this.#history = history
  }

  /** One request to one member, a server chosen at random. Undefined: nobody knows what became of it. */
  async ask<P extends Path>(
    path: P,
    request: Requests[P],
    options: { withinMs?: number; member?: Member } = {},
  ): Promise<Answers[P] | undefined> {
    const ready = options.member ? [options.member] : this.#fleet.ready('server')
    if (ready.length === 0) {
      await wait(100)
      return undefined
    }
    const member = this.random.pick(ready)
    const heard = await sendTo(member, path, request, options.withinMs ?? answerWithinMs)
    const line = { client: this.name, member: member.name, path, request, ...heard }
    this.#history.add(line as Parameters<History['add']>[0]) // path and request belong together in this call
    return heard.answer
  }

  /** Asks again, anywhere, until somebody answers what is good enough, or the time is over. `deadline` may come nearer meanwhile. */
  async askUntil<P extends Path>(
    path: P,
    request: Requests[P],
    isEnough: (answer: Answers[P]) => boolean,
    deadline: () => number,
  ): Promise<Answers[P] | undefined> {
    for (let pause = 50; performance.now() < deadline(); pause = Math.min(800, pause * 2)) {
      const answer = await this.ask(path, request)
      if (answer !== undefined && isEnough(answer)) return answer
      await wait(pause + this.random.between(0, 50))
    }
    return undefined
  }
}

async function sendTo<P extends Path>(
  member: Member,
  path: P,
  request: Requests[P],
  withinMs: number,
): Promise<{ answer?: Answers[P]; lost?: string }> {
  try {
    const response = await fetch(`http://127.0.0.1:${member.port}${path}`, {
      method: 'POST',
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(withinMs),
    })
    const body = await response.json()
    return response.ok ? { answer: body as Answers[P] } : { lost: `${response.status} ${JSON.stringify(body)}` } // the member's own doors are typed
  } catch (error) {
    return { lost: error instanceof Error ? `${error.name} ${error.cause ?? error.message}` : String(error) }
  }
}
