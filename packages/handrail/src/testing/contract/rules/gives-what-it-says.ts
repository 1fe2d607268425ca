import type { ToolRule } from '../tool-rule.ts'
import { told } from '../trace.ts'

/** Examples are what models and people are shown: at least one that succeeds, one that is refused, and all of them true. */
export const givesWhatItSays: ToolRule = {
  title: 'gives what its examples say',
  async problems({ tool, bench }) {
    const problems: string[] = []
    if (!tool.examples.some(({ refuses }) => refuses === undefined)) problems.push('no example succeeds')
    if (!tool.examples.some(({ refuses }) => refuses !== undefined)) problems.push('no example is refused')
    for (const { name, example, outcome } of await bench.exampleRuns(tool)) {
      const { result } = outcome
      const code = 'code' in result ? result.code : undefined
      if (example.refuses !== undefined) {
        if (code !== example.refuses) problems.push(`${name} should be ${example.refuses}, but ${told(outcome)}`)
        else if ('error' in result && result.error.trim() === '') problems.push(`${name} is refused without a word`)
        continue
      }
      if (!result.success) problems.push(`${name} should succeed, but ${told(outcome)}`)
      else {
        const difference = firstDifference(result.data, example.gives, 'data')
        if (difference) problems.push(`${name}: ${difference}`)
      }
    }
    return problems
  },
}

/** Where the actual value lacks something of the expected one. Lists are compared item by item and in length. */
export function firstDifference(actual: unknown, expected: unknown, path: string): string | undefined {
  if (Object.is(actual, expected) || expected === undefined) return undefined
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `\`${path}\` should be a list, but is ${shown(actual)}`
    if (actual.length !== expected.length) {
      return `\`${path}\` should have ${expected.length} items, but has ${actual.length}`
    }
    return firstOf(expected.map((item, index) => firstDifference(actual[index], item, `${path}[${index}]`)))
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null) return `\`${path}\` should be an object, but is ${shown(actual)}`
    return firstOf(
      Object.entries(expected).map(([key, value]) =>
        firstDifference(Reflect.get(actual, key), value, `${path}.${key}`),
      ),
    )
  }
  return `\`${path}\` should be ${shown(expected)}, but is ${shown(actual)}`
}

function firstOf(differences: readonly (string | undefined)[]): string | undefined {
  return differences.find((difference) => difference !== undefined)
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'missing').slice(0, 200)
}
