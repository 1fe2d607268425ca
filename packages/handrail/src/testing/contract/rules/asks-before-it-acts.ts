import type { ToolRule } from '../tool-rule.ts'

export const asksBeforeItActs: ToolRule = {
  title: 'changes nothing while it asks or when it is declined, and runs once however often it is approved',
  appliesTo: ({ kind }) => kind !== 'read',
  async problems({ tool, bench }) {
    const problems: string[] = []
    for (const { name, asking, entries, outcome } of await bench.exampleRuns(tool)) {
      const asked = entries.some(({ event }) => event === 'asked')
      if (asked !== (asking !== undefined))
        problems.push(`${name}: the record and the answer differ on whether it asked`)
      if (asking === undefined) continue
      const { waiting, declined } = asking
      if (waiting.changed.length > 0)
        problems.push(`${name} changed ${waiting.changed.join(', ')} before it was approved`)
      if (declined.changed.length > 0) problems.push(`${name} changed ${declined.changed.join(', ')} though declined`)
      if (declined.outcome.record.status !== 'declined') {
        problems.push(`${name} was declined and is \`${declined.outcome.record.status}\``)
      }
      const starts = entries.filter(({ event }) => event === 'started').length
      if (outcome.result.success && starts !== 1)
        problems.push(`${name} was approved at once and started ${starts} times`)
    }
    return problems
  },
}
