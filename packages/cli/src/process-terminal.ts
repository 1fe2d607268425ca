import { createInterface } from 'node:readline/promises'
import type { Terminal } from './command.ts'

/** The terminal of this process. */
export function processTerminal(): Terminal {
  return {
    out: (text) => {
      process.stdout.write(`${text}\n`)
    },
    error: (text) => {
      process.stderr.write(`${text}\n`)
    },
    ask: askLine(),
    isInteractive: process.stdin.isTTY === true,
  }
}

/** Lines are read one at a time, also from a pipe: what was typed ahead answers the next question. */
function askLine(): Terminal['ask'] {
  let lines: AsyncIterator<string> | undefined
  return async (question) => {
    if (lines === undefined) {
      const reader = createInterface({ input: process.stdin, terminal: false })
      lines = reader[Symbol.asyncIterator]()
    }
    process.stdout.write(question)
    const line = await lines.next()
    return line.done ? undefined : line.value
  }
}
