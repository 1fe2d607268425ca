import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, readFileSync, type WriteStream } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Role = 'server' | 'worker'

/** One place in the fleet; the process in it changes. */
export interface Member {
  readonly name: string
  readonly role: Role
  /** Set while its process takes requests. */
  port: number | undefined
  pid: number | undefined
  isStopped: boolean
  /** How long its next stop lasts, in milliseconds. */
  stopMs: number
}

interface Place extends Member {
  child: ChildProcess | undefined
  log: WriteStream
  hasEnded: Promise<void>
}

export interface FleetOptions {
  folder: string
  env: Record<string, string>
  members: readonly { name: string; role: Role }[]
}

const restartAfterMs = 300
const lookEveryMs = 100

/**
 * The processes of one run. It signals only processes that it started itself, starts again what was killed, and continues
 * what was stopped when its time is over.
 */
export class Fleet {
  readonly members: readonly Member[]
  readonly counts = { kills: 0, stops: 0, restarts: 0, shutdowns: 0 }
  /** Processes that ended although nobody had told them to. */
  readonly accidents: string[] = []
  /** While the database itself is down, a process may fail to start. */
  mayFailToStart = false
  readonly #places: Place[]
  readonly #options: FleetOptions
  readonly #watch: NodeJS.Timeout
  #isClosing = false

  constructor(options: FleetOptions) {
    this.#options = options
    this.#places = options.members.map((member) => ({
      ...member,
      port: undefined,
      pid: undefined,
      isStopped: false,
      stopMs: 0,
      child: undefined,
      log: createWriteStream(join(options.folder, `${member.name}.log`), { flags: 'a' }),
      hasEnded: Promise.resolve(),
    }))
    this.members = this.#places
    for (const place of this.#places) this.#start(place)
    this.#watch = setInterval(() => this.#look(), lookEveryMs)
  }

  /** Members that take requests, stopped ones included: a client cannot tell. */
  ready(role?: Role): Member[] {
    return this.#places.filter((place) => place.port !== undefined && (role === undefined || place.role === role))
  }

  async untilReady(timeoutMs: number): Promise<void> {
    const until = performance.now() + timeoutMs
    while (this.ready().length < this.#places.length || this.#places.some(({ isStopped }) => isStopped)) {
      if (performance.now() > until) throw new Error(`the fleet is not ready: ${this.accidents.join('; ')}`)
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    }
  }

  kill(member: Member): void {
    this.#signal(member, 'SIGKILL')
  }

  /** Stops a member as it stands, for `ms`. */
  stop(member: Member, ms: number): void {
    const place = this.#place(member)
    place.stopMs = ms
    this.#signal(place, 'SIGSTOP')
  }

  /** Asks a member to end by itself; another takes its place. */
  shutDown(member: Member): void {
    this.counts.shutdowns += 1
    this.#signal(member, 'SIGTERM')
  }

  /** Ends every process: asks first, then insists. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#watch)
    for (const place of this.#places) {
      this.#signal(place, 'SIGCONT')
      this.#signal(place, 'SIGTERM')
    }
    const ended = Promise.all(this.#places.map(({ hasEnded }) => hasEnded))
    const late = setTimeout(() => {
      for (const place of this.#places) {
        if (place.child === undefined) continue
        this.accidents.push(`${place.name} did not end within ${graceMs} ms of SIGTERM`)
        this.#signal(place, 'SIGKILL')
      }
    }, graceMs)
    await ended
    clearTimeout(late)
    for (const { log } of this.#places) log.end()
  }

  #place(member: Member): Place {
    const place = this.#places.find(({ name }) => name === member.name)
    if (place === undefined) throw new Error(`${member.name} is not of this fleet`)
    return place
  }

  #signal(member: Member, signal: NodeJS.Signals): void {
    const { child } = this.#place(member)
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
  }

  #start(place: Place): void {
    const child = spawn(process.execPath, [fileURLToPath(new URL('./member.ts', import.meta.url))], {
      env: { ...process.env, NODE_OPTIONS: '', ...this.#options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    place.child = child
    place.pid = child.pid
    place.isStopped = false
    let wasReady = false
    let errors = ''
    child.stdin.on('error', () => {})
    child.stdout.on('data', (chunk) => {
      const port = /^ready (\d+)/m.exec(String(chunk))?.[1]
      if (port === undefined) return
      wasReady = true
      place.port = Number(port)
    })
    child.stderr.on('data', (chunk) => {
      errors = `${errors}${chunk}`.slice(-1_000)
    })
    child.stderr.pipe(place.log, { end: false })
    place.hasEnded = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        place.child = undefined
        place.port = undefined
        place.pid = undefined
        if (signal === 'SIGKILL') this.counts.kills += 1
        else if (code !== 0 && (wasReady || !this.mayFailToStart)) {
          this.accidents.push(`${place.name} ended with ${signal ?? code}: ${errors.trim().slice(-400)}`)
        }
        resolve()
        if (!this.#isClosing) setTimeout(() => this.#restart(place), restartAfterMs)
      })
    })
  }

  #restart(place: Place): void {
    if (this.#isClosing) return
    this.counts.restarts += 1
    this.#start(place)
  }

  /** A process may stop itself at a fault point, so the kernel is asked who stands still. */
  #look(): void {
    for (const place of this.#places) {
      if (place.pid === undefined || place.isStopped || stateOf(place.pid) !== 'T') continue
      place.isStopped = true
      this.counts.stops += 1
      const { child } = place
      setTimeout(() => {
        if (place.child !== child) return
        this.#signal(place, 'SIGCONT')
        place.isStopped = false
      }, place.stopMs)
    }
  }
}

/** The third field of `/proc/<pid>/stat`; the second, in parentheses, may hold anything. */
function stateOf(pid: number): string | undefined {
  try {
    return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
