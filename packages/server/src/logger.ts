import type { OperatorReport } from 'handrail'
import { destination, type Logger, pino } from 'pino'

export type { Logger }

/** Never in a log line, wherever it stands: credentials, and what people and tools say. */
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

/** JSON lines on stderr; stdout belongs to what a person reads. */
export function createLogger(level: string): Logger {
  const paths = withheld.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  return pino({ level, redact: { paths, censor: '[withheld]' } }, destination(2))
}

/** What gate and runs tell the operator, as log lines. */
export function reportTo(logger: Logger): OperatorReport {
  return ({ code, message, callId, error }) => logger.error({ code, callId, err: error }, message)
}
