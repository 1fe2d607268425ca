import { isRow } from './rows.ts'
import type { PastCall, PlannedCall } from './transcript.ts'

/** A message of script lines: each line one call, each paragraph one step. */
export interface Script {
  steps: PlannedCall[][]
}

const callLine = /^\s*\/([A-Za-z][A-Za-z0-9_-]*)\s*([\s\S]*)$/
const reference = /^\$(\d+)((?:\.[A-Za-z0-9_]+)*)$/

/** Is this message written as script lines? */
export function isScript(message: string): boolean {
  return /^\s*\/[a-z][a-z0-9]*_[a-z0-9_]*(\s|$)/im.test(message.trimStart().split('\n')[0] ?? '')
}

/**
 * Reads script lines. A line that does not begin with `/` goes on with the arguments of the line above it.
 *
 * @returns a sentence instead when a line cannot be read; nothing of the script may run then
 * @example parseScript('/create_project {"name":"A"}\n\n/get_project {"projectId":"$1.id"}') // two steps of one call
 */
export function parseScript(message: string): Script | string {
  const steps: PlannedCall[][] = []
  for (const paragraph of message.replaceAll('\r', '').split(/\n\s*\n/)) {
    const lines: string[] = []
    for (const line of paragraph.split('\n').filter((text) => text.trim() !== '')) {
      if (callLine.test(line)) lines.push(line)
      else if (lines.length === 0)
        return `I cannot read the line "${line.trim().slice(0, 80)}": a script line looks like \`/tool_name {"field": "value"}\`. Nothing was called.`
      else lines[lines.length - 1] += `\n${line}`
    }
    const calls: PlannedCall[] = []
    for (const line of lines) {
      const [, toolName = '', json = ''] = callLine.exec(line) ?? []
      const input = parseInput(json)
      if (input === undefined)
        return `The arguments of \`/${toolName}\` are not a JSON object: ${json.trim().slice(0, 120)}. Nothing was called.`
      calls.push({ toolName, input })
    }
    if (calls.length > 0) steps.push(calls)
  }
  return { steps }
}

/**
 * Runs a script: yields each paragraph's calls and is given their results. `$1.id` is the field `id` of the first call's
 * data, for calls of earlier paragraphs.
 *
 * @returns a sentence when a reference leads nowhere; no further call is made then
 */
export function* runScript({
  steps,
}: Script): Generator<PlannedCall[], { done: PastCall[]; stopped: string | undefined }, PastCall[]> {
  const done: PastCall[] = []
  for (const step of steps) {
    const calls: PlannedCall[] = []
    for (const { toolName, input } of step) {
      const unknown: string[] = []
      const filled = withReferences(input, done, unknown)
      if (unknown.length > 0 || !isRow(filled)) {
        return {
          done,
          stopped: `\`${unknown[0]}\` in \`/${toolName}\` leads nowhere: ${whyUnknown(unknown[0] ?? '', done)} I stopped there.`,
        }
      }
      calls.push({ toolName, input: { ...filled } })
    }
    done.push(...(yield calls))
  }
  return { done, stopped: undefined }
}

function parseInput(json: string): Record<string, unknown> | undefined {
  if (json.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(json)
    return isRow(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function withReferences(value: unknown, done: readonly PastCall[], unknown: string[]): unknown {
  if (typeof value === 'string') {
    const match = reference.exec(value)
    if (!match) return value
    const result = done[Number(match[1]) - 1]?.result
    const found = result?.success ? match[2]?.split('.').slice(1).reduce(memberOf, result.data) : undefined
    if (found === undefined) unknown.push(value)
    return found
  }
  if (Array.isArray(value)) return value.map((item) => withReferences(item, done, unknown))
  if (!isRow(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withReferences(item, done, unknown)]))
}

function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined
  return isRow(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function whyUnknown(written: string, done: readonly PastCall[]): string {
  const number = Number(reference.exec(written)?.[1] ?? 0)
  const call = done[number - 1]
  if (!call) return `no call number ${number} was made before this paragraph.`
  return call.result.success ? 'the result has no such field.' : `call number ${number} gave no data.`
}
