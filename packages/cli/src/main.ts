import type { Command, Terminal } from './command.ts'
import { callCommand } from './commands/call.ts'
import { chatCommand } from './commands/chat.ts'
import { checkCommand } from './commands/check.ts'
import { evalCommand } from './commands/eval.ts'
import { ledgerCommand } from './commands/ledger.ts'
import { startCommand } from './commands/start.ts'
import { toolsCommand } from './commands/tools.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import { processTerminal } from './process-terminal.ts'
import { UnreachableError } from './unreachable-error.ts'
import { UsageError } from './usage-error.ts'

const commands: readonly Command[] = [
  startCommand,
  toolsCommand,
  callCommand,
  chatCommand,
  checkCommand,
  ledgerCommand,
  evalCommand,
]

/**
 * The command line.
 *
 * @param args what follows `handrail`
 * @returns the exit code; errors are told on the terminal, never thrown
 */
export async function main(args: string[], terminal: Terminal = processTerminal()): Promise<ExitCode> {
  const [name, ...rest] = args
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    terminal.out(help(commands.find((command) => command.name === rest[0])))
    return exitCode.ok
  }
  const command = commands.find((candidate) => candidate.name === name)
  if (command === undefined) {
    terminal.error(`There is no command \`${name}\`.\n\n${help(undefined)}`)
    return exitCode.usage
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    terminal.out(help(command))
    return exitCode.ok
  }
  try {
    return await command.run(rest, terminal)
  } catch (error) {
    return tell(error, command, terminal)
  }
}

function tell(error: unknown, command: Command, terminal: Terminal): ExitCode {
  if (error instanceof UsageError) {
    terminal.error(`${error.message}\n\n${command.usage}`)
    return exitCode.usage
  }
  if (error instanceof UnreachableError) {
    terminal.error(error.message)
    return exitCode.unreachable
  }
  const code = error instanceof Error && 'code' in error ? `${String(error.code)}: ` : ''
  terminal.error(`${code}${error instanceof Error ? error.message : String(error)}`)
  return exitCode.failed
}

function help(command: Command | undefined): string {
  if (command) return `${command.summary}\n\n${command.usage}`
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `handrail <command> [flags]\n\n${lines.join('\n')}\n
  --as NAME    whom to act as in dev mode (default alice)
  --url URL    the server (default HANDRAIL_URL, or http://127.0.0.1:4300)
  --json       the raw answer, for scripts

Exit codes: 0 done, 1 the call or check failed, 2 the command line could not be read, 3 no server answers,
4 the call waits for a person's approval. \`handrail help <command>\` says more.`
}
