import { startServer } from '@handrail/server'
import { type Command, readFlags } from '../command.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../usage-error.ts'

export const startCommand: Command = {
  name: 'start',
  summary: 'Starts the server, on an embedded database or DATABASE_URL',
  usage: `handrail start

It reads the environment: PORT (4300), HANDRAIL_DATA (.handrail), DATABASE_URL, HANDRAIL_SECRET (unset: dev mode on
loopback with demo people), HANDRAIL_MODEL and the providers' keys. Ctrl-C stops it and hands over what it holds.`,

  async run(args) {
    const { positionals } = readFlags(args, {})
    if (positionals.length > 0) throw new UsageError('`start` takes no arguments; it is configured by the environment.')
    // The listening server keeps the process; SIGTERM and Ctrl-C end it.
    await startServer()
    return exitCode.ok
  },
}
