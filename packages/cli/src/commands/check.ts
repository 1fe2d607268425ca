import { openPackDatabase } from '@handrail/postgres/testing'
import { installedPacks } from '@handrail/server'
import { runPackChecks } from 'handrail/testing'
import { type Command, readFlags } from '../command.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../usage-error.ts'

export const checkCommand: Command = {
  name: 'check',
  summary: 'Holds every tool of every pack against the contract',
  usage: `handrail check [pack …] [--json]

Runs each tool's examples and the contract's rules against demo data in a database of its own; no server is needed.`,

  async run(args, terminal) {
    const { values, positionals } = readFlags(args, { json: { type: 'boolean', default: false } })
    const known = installedPacks.map(({ name }) => name)
    const unknown = positionals.filter((name) => !known.includes(name))
    if (unknown.length > 0) throw new UsageError(`There is no pack \`${unknown[0]}\`. Known: ${known.join(', ')}.`)
    const packs = installedPacks.filter(({ name }) => positionals.length === 0 || positionals.includes(name))

    const reports = []
    for (const pack of packs) {
      const database = await openPackDatabase(pack)
      try {
        reports.push(...(await runPackChecks(pack, database)))
      } finally {
        await database.close()
      }
    }
    const broken = reports.filter(({ problems }) => problems.length > 0)
    if (values.json) terminal.out(JSON.stringify(reports, null, 2))
    else {
      for (const pack of packs) {
        const own = reports.filter((report) => report.pack === pack.name)
        const kept = own.filter(({ problems }) => problems.length === 0).length
        terminal.out(`${pack.name}: ${pack.tools.length} tools, ${kept} of ${own.length} checks hold`)
      }
      for (const { pack, tool, rule, problems } of broken)
        for (const problem of problems) terminal.error(`✗ ${pack} ${tool}: ${rule}\n  ${problem}`)
    }
    return broken.length === 0 ? exitCode.ok : exitCode.failed
  },
}
