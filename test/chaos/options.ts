import { parseArgs } from 'node:util'
import { type MutationName, mutations } from './mutations.ts'

export interface ChaosOptions {
  seconds: number
  seed: number
  databases: ('postgres' | 'embedded')[]
  servers: number
  workers: number
  without: MutationName | undefined
}

const usage = `npm run chaos -- [options]
  --seconds N      how long each database is put under stress (default 60)
  --seed N         repeats a run (default: random, printed)
  --database D     postgres, embedded or both (default both)
  --servers N      processes that take calls, with postgres (default 2)
  --workers N      processes that only run, with postgres (default 2)
  --without GUARD  takes one guard out of a copy of the project; the check must then fail:
                   ${Object.keys(mutations).join(', ')}`

/** @throws Error with the usage when a flag cannot be read */
export function readOptions(args: string[]): ChaosOptions {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '60' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
      database: { type: 'string', default: 'both' },
      servers: { type: 'string', default: '2' },
      workers: { type: 'string', default: '2' },
      without: { type: 'string' },
    },
  })
  const { database, without } = values
  if (!['postgres', 'embedded', 'both'].includes(database))
    throw new Error(`--database ${database} is not known\n\n${usage}`)
  if (without !== undefined && !isMutation(without)) throw new Error(`--without ${without} is not known\n\n${usage}`)
  return {
    seconds: wholeNumber('seconds', values.seconds, 1, 86_400),
    seed: wholeNumber('seed', values.seed, 0, 2 ** 32 - 1),
    databases: database === 'both' ? ['postgres', 'embedded'] : database === 'postgres' ? ['postgres'] : ['embedded'],
    servers: wholeNumber('servers', values.servers, 1, 8),
    workers: wholeNumber('workers', values.workers, 0, 8),
    without,
  }
}

function isMutation(name: string): name is MutationName {
  return Object.hasOwn(mutations, name)
}

function wholeNumber(flag: string, text: string, low: number, high: number): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < low || number > high)
    throw new Error(`--${flag} takes a whole number from ${low} to ${high}, not ${text}\n\n${usage}`)
  return number
}
