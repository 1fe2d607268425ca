import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Claim, checkHistory } from './check-history.ts'
import { Fleet } from './fleet.ts'
import { History } from './history.ts'
import { embeddedHome, type Home, postgresHome } from './home.ts'
import { Nemesis } from './nemesis.ts'
import { type Observed, observe } from './observed.ts'
import type { ChaosOptions } from './options.ts'
import { Workload } from './workload.ts'

const startWithinMs = 60_000
const settleWithinMs = 60_000
const endWithinMs = 15_000

export interface Outcome {
  kind: Home['kind']
  /** How long each part took. */
  seconds: Record<string, number>
  claims: Claim[]
  counts: Record<string, Record<string, number>>
  harm: Record<string, number>
  /** History, noted starts and the processes' own output. */
  folder: string
}

/** One database under stress, from its making to the check. Whatever it started has ended when it resolves. */
export async function stress(kind: Home['kind'], options: ChaosOptions, signal: AbortSignal): Promise<Outcome> {
  const seconds: Outcome['seconds'] = {}
  let since = performance.now()
  const lap = (name: string): void => {
    seconds[name] = Math.round((performance.now() - since) / 100) / 10
    since = performance.now()
  }
  const folder = mkdtempSync(join(tmpdir(), 'handrail-chaos-'))
  const sealKey = randomBytes(32).toString('hex')
  const starts = join(folder, 'starts.jsonl')
  const closing: (() => Promise<unknown>)[] = []
  try {
    const downstream = await startDownstream(starts)
    closing.push(downstream.close)
    const home = kind === 'postgres' ? await postgresHome(options) : await embeddedHome(folder)
    closing.push(home.close)
    const env = { ...home.env, CHAOS_DOWNSTREAM: downstream.url, CHAOS_SEAL_KEY: sealKey }
    const fleet = new Fleet({ folder, env, members: home.members })
    closing.push(() => fleet.close(0))
    await fleet.untilReady(startWithinMs)
    signal.throwIfAborted()
    lap('start')

    const history = new History(join(folder, 'history.jsonl'))
    const workload = new Workload(fleet, history, options.seed)
    const nemesis = new Nemesis(home, fleet, workload.client('nemesis'))
    const endAt = performance.now() + options.seconds * 1_000
    const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    await Promise.race([
      Promise.all([nemesis.run(endAt), workload.run(endAt, home.kind === 'postgres' ? 8 : 5)]),
      stopped,
    ])

    lap('stress')
    await Promise.race([fleet.untilReady(startWithinMs), stopped])
    await nemesis.calm()
    await Promise.race([fleet.untilReady(startWithinMs), stopped])
    const isSettled = await Promise.race([workload.settle(performance.now() + settleWithinMs), stopped])
    lap('settle')
    await fleet.close(endWithinMs)
    lap('end')

    const database = await home.open()
    closing.push(() => database.close())
    const heard = { history: history.lines, isSettled, accidents: fleet.accidents }
    const observed = await observe(database, sealKey, starts, heard)
    const claims = checkHistory(observed)
    lap('check')
    return {
      kind,
      seconds,
      claims,
      counts: countsOf(observed),
      harm: { ...fleet.counts, ...nemesis.counts },
      folder,
    }
  } finally {
    for (const close of closing.reverse()) await close().catch((error: unknown) => console.error(error))
  }
}

async function startDownstream(file: string): Promise<{ url: string; close(): Promise<unknown> }> {
  writeFileSync(file, '')
  const child = spawn(process.execPath, [fileURLToPath(new URL('./downstream.ts', import.meta.url)), file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const port = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the service outside did not start')))
    child.stdout.on('data', (chunk) => {
      const found = /^ready (\d+)/m.exec(String(chunk))?.[1]
      if (found) resolve(found)
    })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      child.stdin.end()
      return Promise.race([ended, wait(2_000, undefined, { ref: false }).then(() => child.kill('SIGKILL'))])
    },
  }
}

function countsOf({ calls, runs, steps, history, starts, entries, ledger }: Observed): Outcome['counts'] {
  const counts: Outcome['counts'] = {}
  for (const name of [...new Set(calls.map(({ toolName }) => toolName))].sort()) {
    counts[name] = tally(calls.filter(({ toolName }) => toolName === name).map(({ status }) => status))
  }
  counts.repeated = {
    'attempts beyond the first': calls.reduce((sum, { attempt }) => sum + Math.max(0, attempt - 1), 0),
  }
  counts.runs = { ...tally(runs.map(({ status }) => status)), steps: steps.length }
  counts.decisions = tally(
    history.flatMap((line) => (line.path === '/decide' ? [line.answer?.kind ?? 'without an answer'] : [])),
  )
  counts.requests = tally(history.map(({ lost }) => (lost === undefined ? 'answered' : 'without an answer')))
  counts.rows = { entries: entries.length, 'starts outside': starts.length, 'ledger entries': ledger.length }
  return counts
}

function tally(items: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(items, (item) => item)].map(([item, all]) => [item, all.length]).sort())
}
