import type { ErrorCode } from '../../../errors/error-code.ts'
import type { ToolResult } from '../../../tool/tool-result.ts'
import type { ToolRule } from '../tool-rule.ts'

const codes: readonly ErrorCode[] = ['VALIDATION', 'NOT_FOUND', 'CONFLICT', 'TIMEOUT', 'DECLINED', 'INTERNAL']
/** What a template writes where a value is missing. */
const brokenText = /\bundefined\b|\bNaN\b|\[object |\bnull\b/

export const saysWhatItDid: ToolRule = {
  title: 'says in words what it did and what it failed to do',
  async problems({ tool, bench }) {
    const problems: string[] = []
    for (const { name, input, outcome } of await bench.exampleRuns(tool)) {
      const { description } = outcome.record
      if (description.trim() === '' || brokenText.test(description))
        problems.push(`${name} is told as "${description}"`)
      if (!outcome.result.success) continue
      if (tool.describe === undefined) continue
      const failures = codes.map((code): ToolResult => ({ success: false, code, error: 'It was refused.' }))
      for (const result of failures) {
        const told = describe(tool.describe, input, result)
        if (told.trim() === '' || brokenText.test(told)) problems.push(`a failure of ${name} is told as "${told}"`)
      }
    }
    return [...new Set(problems)]
  },
}

function describe(tell: (context: never) => string, input: unknown, result: ToolResult): string {
  try {
    return tell({ input, result } as never) // erased types; the example's input suits the tool
  } catch (error) {
    return `[object ${error instanceof Error ? error.message : 'thrown'}]`
  }
}
