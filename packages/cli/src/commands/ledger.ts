import { plainText } from 'handrail'
import { ApiClient, messageOf } from '../api-client.ts'
import { type Command, readFlags, serverFlags } from '../command.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../usage-error.ts'

interface LedgerReport {
  sealed: number
  unsealed: number
  problems: { kind: string; message?: string }[]
}

export const ledgerCommand: Command = {
  name: 'ledger',
  summary: 'Verifies that the ledger is what was sealed',
  usage: 'handrail ledger verify [--as NAME] [--json]',

  async run(args, terminal) {
    const { values, positionals } = readFlags(args, serverFlags)
    if (positionals[0] !== 'verify' || positionals.length > 1)
      throw new UsageError('The ledger knows one thing to do: `verify`.')
    const answer = await new ApiClient(values.url, values.as).get('/api/ledger/verify')
    if (answer.status !== 200) {
      terminal.error(messageOf(answer))
      return exitCode.failed
    }
    const report = answer.body as LedgerReport // our own server's shape, pinned there
    if (values.json) terminal.out(JSON.stringify(report, null, 2))
    else {
      const entries = (count: number) => `${count} ${count === 1 ? 'entry' : 'entries'}`
      terminal.out(`${entries(report.sealed)} sealed, ${entries(report.unsealed)} not yet.`)
      terminal.out(
        report.problems.length === 0
          ? 'The seals hold: nothing was changed, removed, added or reordered.'
          : `${report.problems.length} problem${report.problems.length === 1 ? '' : 's'}:`,
      )
      for (const problem of report.problems)
        terminal.out(`  ${plainText(problem.kind)}  ${plainText(problem.message ?? JSON.stringify(problem))}`)
    }
    return report.problems.length === 0 ? exitCode.ok : exitCode.failed
  },
}
