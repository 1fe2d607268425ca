import { hkdfSync } from 'node:crypto'
import { SetupError } from 'handrail'
import { z } from 'zod'
import { type ModelConfig, readModelConfig } from './model-config.ts'

export interface ServerConfig {
  host: string
  port: number
  /** Where the embedded database, the seal key and the anchors lie. */
  dataFolder: string
  databaseUrl: string | undefined
  /** Without a secret the server is in dev mode: demo people, this machine only. */
  secret: Secret | undefined
  model: ModelConfig
  logLevel: string
}

/** The operator's secret, of which only derived keys are ever used. */
export interface Secret {
  /** A key of 32 bytes for one purpose; the same secret and purpose give the same key. */
  keyFor(purpose: string): Buffer
}

const smallestSecret = 32
const loopbackHosts = ['127.0.0.1', 'localhost', '::1']
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** An empty variable counts as one that is not set: `FOO= npm start`. */
const text = z
  .string()
  .transform((value) => value.trim() || undefined)
  .optional()

const environment = z.object({
  PORT: text.refine(
    (value) => value === undefined || (/^\d{1,5}$/.test(value) && Number(value) <= 65_535),
    'must be a port: a number from 0 to 65535',
  ),
  HANDRAIL_HOST: text,
  HANDRAIL_DATA: text,
  DATABASE_URL: text,
  HANDRAIL_SECRET: text.refine(
    (value) => value === undefined || value.length >= smallestSecret,
    `must have at least ${smallestSecret} characters; \`openssl rand -hex 32\` makes one`,
  ),
  HANDRAIL_LOG: text.refine(
    (value) => value === undefined || logLevels.includes(value),
    `must be one of ${logLevels.join(', ')}`,
  ),
})

/**
 * Reads what the server is told by its environment.
 *
 * @throws {SetupError} `BAD_ENVIRONMENT`, naming every variable that cannot be used, and never a value.
 * @example
 * readConfig({ PORT: '8080' }).port // 8080
 */
export function readConfig(env: NodeJS.ProcessEnv): ServerConfig {
  const parsed = environment.safeParse(env)
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `\`${issue.path.join('.')}\` ${issue.message}`)
    throw badEnvironment(problems.join('; '))
  }
  const { PORT, HANDRAIL_HOST, HANDRAIL_DATA, DATABASE_URL, HANDRAIL_SECRET, HANDRAIL_LOG } = parsed.data
  const host = HANDRAIL_HOST ?? '127.0.0.1'
  if (HANDRAIL_SECRET === undefined && !loopbackHosts.includes(host)) {
    throw badEnvironment(
      '`HANDRAIL_HOST` names an address that others can reach, and without `HANDRAIL_SECRET` anybody could act as a demo person. Set `HANDRAIL_SECRET`, or leave the host out',
    )
  }
  return {
    host,
    port: Number(PORT ?? 4300),
    dataFolder: HANDRAIL_DATA ?? '.handrail',
    databaseUrl: DATABASE_URL,
    secret: HANDRAIL_SECRET === undefined ? undefined : secretOf(HANDRAIL_SECRET),
    model: readModelConfig(env),
    logLevel: HANDRAIL_LOG ?? (HANDRAIL_SECRET === undefined ? 'warn' : 'info'),
  }
}

function secretOf(value: string): Secret {
  return { keyFor: (purpose) => Buffer.from(hkdfSync('sha256', value, '', `handrail ${purpose}`, 32)) }
}

function badEnvironment(problem: string): SetupError {
  return new SetupError('BAD_ENVIRONMENT', `The environment cannot be used: ${problem}.`)
}
