import { existsSync } from 'node:fs'
import { evalGuard, guardTable } from 'handrail/eval'
import { type Command, readFlags } from '../command.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../usage-error.ts'

export const evalCommand: Command = {
  name: 'eval',
  summary: 'Measures a part on recorded material',
  usage: `handrail eval guard <file.jsonl …> [--json]

How many calls written as text are found, by name and with their arguments, in each format; how often one is found where
there is none; how fast. One record a line: {id, format?, text, tools, expected_calls, kind: positive|negative}.`,

  async run(args, terminal) {
    const { values, positionals } = readFlags(args, { json: { type: 'boolean', default: false } })
    const [part, ...files] = positionals
    if (part !== 'guard') throw new UsageError('What can be measured is `guard`.')
    if (files.length === 0) throw new UsageError('Name at least one file of records.')
    const missing = files.find((file) => !existsSync(file))
    if (missing !== undefined) throw new UsageError(`There is no file ${missing}.`)
    const score = evalGuard(files)
    terminal.out(values.json ? JSON.stringify(score, undefined, 2) : guardTable(score))
    return exitCode.ok
  },
}
