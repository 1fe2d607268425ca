import { z } from '@hono/zod-openapi'
import {
  anthropicTool,
  backboardTool,
  decideByDefault,
  type Gate,
  inputJsonSchemaOf,
  mcpTool,
  openAITool,
  type Pack,
  type Principal,
  type Tool,
  wireNames,
} from 'handrail'
import type { ServerContext } from '../context.ts'
import { HttpError } from './http-error.ts'
import type { Router } from './router.ts'
import { jsonOf, packName, risk, toolKind } from './schemas.ts'

const toolView = z
  .object({
    name: z.string(),
    title: z.string(),
    pack: z.string(),
    category: z.string(),
    kind: toolKind,
    effect: z.enum(['transaction', 'external']).optional(),
    risk,
    description: z.string(),
    requiresApproval: z.boolean().openapi({ description: 'Asks a person first, as far as is known before a call' }),
    inputSchema: z.unknown().openapi({ description: 'JSON Schema' }),
  })
  .openapi('Tool')

const formatName = z.enum(['native', 'openai', 'anthropic', 'mcp', 'backboard', 'ai-sdk'])
const query = z.strictObject({ pack: packName.optional(), format: formatName.optional() })

interface PackedTool {
  pack: Pack
  tool: Tool
}

/** The tools that this person may call, as people and as models are shown them. */
export function toolRoutes(router: Router, { gate }: ServerContext): void {
  router.route(
    {
      method: 'get',
      path: '/api/tools',
      tag: 'Tools',
      summary: 'The tools this person may call',
      description:
        'Without `format`: everything Handrail knows of them. With it: as that API takes them; where two packs share a name it is then `pack__name`.',
      query,
      responses: { 200: jsonOf(z.object({ items: z.array(z.union([toolView, z.unknown()])) }), 'Tools') },
      errors: [404],
    },
    ({ principal, query }) => {
      const { pack, format = 'native' } = query
      if (pack !== undefined && gate.packs.get(pack)?.pack.roleOf(principal) === undefined) {
        throw new HttpError('NOT_FOUND', 'There is no such pack here.')
      }
      const tools = gate.toolsFor(principal, pack)
      return Response.json({
        items:
          format === 'native' ? tools.map((packed) => nativeTool(gate, principal, packed)) : inFormat(format, tools),
      })
    },
  )
}

function nativeTool(gate: Gate<never>, principal: Principal, { pack, tool }: PackedTool) {
  const { name, title, category, kind, effect, risk, description } = tool
  const requiresApproval = asks(gate, principal, { pack, tool })
  const inputSchema = inputJsonSchemaOf(tool)
  return { name, title, pack: pack.name, category, kind, effect, risk, description, requiresApproval, inputSchema }
}

/** What the default policy says of a tool whatever its arguments; the pack's own policy is asked at each call. */
function asks({ say }: Gate<never>, principal: Principal, { pack, tool }: PackedTool): boolean {
  const thread = { untrusted: false, userText: '' }
  const call = { tool, pack: pack.name, input: {}, principal, scope: {}, thread, unsettled: [] }
  return decideByDefault(call, say).verdict === 'ask'
}

const formats: Record<Exclude<z.infer<typeof formatName>, 'native'>, (tool: Tool, name: string) => unknown> = {
  openai: openAITool,
  anthropic: anthropicTool,
  mcp: mcpTool,
  backboard: backboardTool,
  'ai-sdk': (tool, name) => ({ name, description: tool.description, inputSchema: inputJsonSchemaOf(tool) }),
}

function inFormat(format: keyof typeof formats, tools: readonly PackedTool[]): unknown[] {
  const names = wireNames(tools.map(({ pack, tool }) => ({ pack: pack.name, name: tool.name })))
  return tools.map(({ pack, tool }) => formats[format](tool, names.nameOf({ pack: pack.name, name: tool.name })))
}
