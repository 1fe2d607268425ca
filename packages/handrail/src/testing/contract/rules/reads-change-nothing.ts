import type { ToolRule } from '../tool-rule.ts'

export const readsChangeNothing: ToolRule = {
  title: 'leaves all tables unchanged and names its sources',
  appliesTo: ({ kind }) => kind === 'read',
  async problems({ tool, bench }) {
    const problems: string[] = []
    for (const { name, changed, outcome } of await bench.exampleRuns(tool)) {
      if (changed.length > 0) problems.push(`${name} changed ${changed.join(', ')}`)
      const { result } = outcome
      if (result.success && !result.sources?.length) problems.push(`${name} does not say where its facts come from`)
    }
    return problems
  },
}
