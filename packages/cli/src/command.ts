import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { ExitCode } from './exit-code.ts'
import { UsageError } from './usage-error.ts'

/** What a command writes to and reads from; tests give their own. */
export interface Terminal {
  out(text: string): void
  error(text: string): void
  /** One line from the person; undefined at the end of input. */
  ask(question: string): Promise<string | undefined>
  readonly isInteractive: boolean
}

export interface Command {
  name: string
  summary: string
  usage: string
  run(args: string[], terminal: Terminal): Promise<ExitCode>
}

/** Flags that every command has which talks to a server. */
export const serverFlags = {
  url: { type: 'string', default: process.env.HANDRAIL_URL ?? `http://127.0.0.1:${process.env.PORT ?? 4300}` },
  as: { type: 'string', default: 'alice' },
  json: { type: 'boolean', default: false },
} satisfies ParseArgsOptionsConfig

/** @throws UsageError saying which flag or how many arguments were not expected */
export function readFlags<const Options extends ParseArgsOptionsConfig>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** @throws UsageError when the text is no JSON object */
export function readJsonObject(what: string, text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${what} is not JSON: ${error instanceof Error ? error.message : ''}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${what} must be a JSON object such as {"name":"Combat"}`)
  return value as Record<string, unknown> // checked above
}
