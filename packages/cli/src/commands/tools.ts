import { plainText } from 'handrail'
import { ApiClient, messageOf } from '../api-client.ts'
import { type Command, readFlags, serverFlags } from '../command.ts'
import { exitCode } from '../exit-code.ts'

interface ListedTool {
  name: string
  pack: string
  category: string
  risk: string
  description: string
  requiresApproval?: boolean
}

export const toolsCommand: Command = {
  name: 'tools',
  summary: 'Lists the tools one may call',
  usage: 'handrail tools [--pack NAME] [--format openai|anthropic|mcp|backboard|ai-sdk] [--as NAME] [--json]',

  async run(args, terminal) {
    const { values } = readFlags(args, { ...serverFlags, pack: { type: 'string' }, format: { type: 'string' } })
    const query = new URLSearchParams()
    if (values.pack) query.set('pack', values.pack)
    if (values.format) query.set('format', values.format)
    const answer = await new ApiClient(values.url, values.as).get(`/api/tools?${query}`)
    if (answer.status !== 200) {
      terminal.error(messageOf(answer))
      return exitCode.failed
    }
    const isForMachines = values.json || values.format !== undefined
    const { items } = answer.body as { items: ListedTool[] } // our own server's shape, pinned there
    terminal.out(isForMachines ? JSON.stringify(answer.body, null, 2) : table(items))
    return exitCode.ok
  },
}

/** By pack and category, in the order in which they were given. */
function table(tools: readonly ListedTool[]): string {
  if (tools.length === 0) return 'There is no tool you may call.'
  const width = Math.max(...tools.map(({ name }) => name.length))
  const groups = Map.groupBy(tools, ({ pack, category }) => `${pack} · ${category}`)
  return [...groups]
    .map(([heading, group]) => {
      const lines = group.map(({ name, risk, requiresApproval, description }) => {
        const mark = requiresApproval ? 'asks' : risk
        return `  ${name.padEnd(width)}  ${mark.padEnd(6)}  ${plainText(description)}`
      })
      return [heading, ...lines].join('\n')
    })
    .join('\n\n')
}
