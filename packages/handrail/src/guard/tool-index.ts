import type { JsonSchemaDefinition } from '../tool/json-schema.ts'

/** A tool that the model was offered. */
export interface GuardTool {
  name: string
  /** The JSON Schema of its arguments; without one, all arguments fit. */
  parameters?: JsonSchemaDefinition | undefined
}

/** The names a text may begin with, and what they mean. */
export interface ToolIndex {
  names: readonly string[]
  /** The tool that a written name means: `functions.get_page:0` is `get_page` where only that is offered. */
  find(written: string): GuardTool | undefined
  /** Whether more letters could make this the name of an offered tool. */
  couldBecome(written: string): boolean
}

/** Namespaces that model templates put before a tool's name. */
const namespaces = ['functions.', 'default_api.', 'tools.', 'tool.']

export function toolIndex(tools: readonly GuardTool[]): ToolIndex {
  const byName = new Map<string, GuardTool>()
  for (const tool of tools) if (tool.name !== '') byName.set(tool.name, tool)
  const names = [...byName.keys()]
  const longest = Math.max(0, ...names.map((name) => name.length))
  return {
    names,
    find(written) {
      const name = written.trim()
      if (name.length > longest + 40) return undefined
      return byName.get(name) ?? byName.get(bareName(name))
    },
    couldBecome(written) {
      if (written.length > longest + 20) return false
      return names.some(
        (name) => name.startsWith(written) || namespaces.some((space) => (space + name).startsWith(written)),
      )
    },
  }
}

function bareName(name: string): string {
  const space = namespaces.find((candidate) => name.startsWith(candidate))
  return (space === undefined ? name : name.slice(space.length)).replace(/:\d{1,6}$/, '')
}
