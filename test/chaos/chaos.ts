import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { copyWithout, type MutationName } from './mutations.ts'
import { type ChaosOptions, readOptions } from './options.ts'
import { print } from './print.ts'
import { stress } from './stress.ts'

// Puts a fleet of processes under stress and checks what is left. Exit code 0: every claim held; 1: one did not.

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => stopping.abort(new Error(`stopped by ${signal}`)))

try {
  const options = readOptions(process.argv.slice(2))
  process.exitCode = options.without ? await withoutGuard(options.without, process.argv.slice(2)) : await chaos(options)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function chaos(options: ChaosOptions): Promise<number> {
  print.head(options)
  for (const kind of options.databases) {
    const outcome = await stress(kind, options, stopping.signal)
    print.outcome(outcome)
    if (outcome.claims.some(({ violations }) => violations.length > 0)) {
      print.failed(options, outcome)
      return 1
    }
    rmSync(outcome.folder, { recursive: true, force: true })
  }
  print.held(options)
  return 0
}

/** The same on a copy of the project that lacks one guard. */
async function withoutGuard(name: MutationName, args: string[]): Promise<number> {
  const folder = copyWithout(name)
  console.log(`without the guard \`${name}\`: the check must fail\n`)
  const rest = args.filter((arg, index) => !arg.startsWith('--without') && args[index - 1] !== '--without')
  try {
    const child = spawn(process.execPath, [join(folder, 'test/chaos/chaos.ts'), ...rest], { stdio: 'inherit' })
    stopping.signal.addEventListener('abort', () => child.kill('SIGTERM'))
    return await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
