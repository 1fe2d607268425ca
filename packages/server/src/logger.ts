import type { OperatorReport } from 'handrail'
import { type DestinationStream, destination, type Logger, pino } from 'pino'

export type { Logger }

/** Never in a log line: credentials, and what people, models and tools say. */
const withheld = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'apiKey',
  'input',
  'payload',
  'result',
  'body',
]
const deepestCause = 3

/** JSON lines on stderr; stdout belongs to what a person reads. */
export function createLogger(level: string, stream: DestinationStream = destination(2)): Logger {
  const paths = withheld.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  const redact = { paths, censor: '[withheld]' }
  return pino({ level, redact, serializers: { err: (error: unknown) => plainError(error) } }, stream)
}

/** What gate and runs tell the operator, as log lines. */
export function reportTo(logger: Logger): OperatorReport {
  return ({ code, message, callId, error }) => logger.error({ code, callId, err: error }, message)
}

/** An error's own words and place. A provider's error also carries the whole prompt, a database's the values: left out. */
function plainError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error === undefined ? undefined : String(error).slice(0, 500)
  const { name, message, stack, cause } = error
  const code = 'code' in error ? String(error.code) : undefined
  return { name, code, message, stack, cause: depth < deepestCause ? plainError(cause, depth + 1) : undefined }
}
