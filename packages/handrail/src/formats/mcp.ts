import { inputJsonSchemaOf } from '../tool/convert-schema.ts'
import type { ObjectSchema } from '../tool/json-schema.ts'
import type { Tool } from '../tool/tool.ts'

/** A tool as an MCP server lists it (specification 2025-06-18, `tools/list`). */
export interface McpTool {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  annotations: {
    /** Changes nothing. */
    readOnlyHint: boolean
    /** Can overwrite or remove what is there; a tool without it only adds. */
    destructiveHint: boolean
    /** The same arguments again change nothing more. */
    idempotentHint: boolean
    /** Reaches things outside the application, or brings in what outsiders wrote. */
    openWorldHint: boolean
  }
}

/**
 * The annotations follow from kind and effect, and err on the dangerous side: clients use them to decide what to ask
 * a person, and a wrong `false` costs more than a wrong `true`.
 *
 * @param name the name on the wire, where it is not the tool's own (see `wireNames`).
 */
export function mcpTool(tool: Tool, name = tool.name): McpTool {
  const { kind, effect, title, description } = tool
  return {
    name,
    title,
    description,
    inputSchema: inputJsonSchemaOf(tool),
    annotations: {
      readOnlyHint: kind === 'read',
      destructiveHint: kind === 'update' || kind === 'delete' || kind === 'action',
      // An update may log each time it is made; only what is gone stays gone.
      idempotentHint: kind === 'read' || kind === 'delete',
      openWorldHint: effect === 'external' || tool.egress || tool.untrusted,
    },
  }
}
