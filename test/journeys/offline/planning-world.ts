import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { gameplan } from '@handrail/pack-gameplan'
import type { ToolResult } from 'handrail'
import { createOfflineModel } from 'handrail/offline'
import { z } from 'zod'

type Row = Record<string, unknown>

const lists: Record<string, readonly Row[]> = {
  list_projects: [
    { id: 'prj_dungeon', name: 'Dungeon Crawler', status: 'active' },
    { id: 'prj_space', name: 'Space Trader', status: 'ideation' },
    { id: 'prj_arcade', name: 'Old Arcade', status: 'archived' },
  ],
  list_game_systems: [
    ['sys_movement', 'Character Movement'],
    ['sys_inventory', 'Inventory System'],
    ['sys_enemy', 'Enemy AI'],
    ['sys_save', 'Save System'],
    ['sys_level', 'Level Generation'],
    ['sys_dialogue', 'Dialogue System'],
    ['sys_crafting', 'Crafting System'],
    ['sys_stealth', 'Stealth System'],
    ['sys_old', 'Old Prototype'],
  ].map(([id = '', name = '']) => ({
    id,
    name,
    systemSlug: name.toLowerCase().replaceAll(' ', '-'),
    status: 'draft',
    mvpCriticality: 'important',
  })),
  list_brainstorms: [
    { id: 'brn_boss', title: 'Boss Fight Ideas', author: 'Alice' },
    { id: 'brn_economy', title: 'Economy Rework', author: 'Bob' },
    { id: 'brn_pets', title: 'Pet Companions', author: 'Alice' },
  ],
  list_version_plans: [
    { id: 'pln_slice', versionLabel: 'v0.1', title: 'Vertical Slice', status: 'finalized' },
    { id: 'pln_loop', versionLabel: 'v0.2', title: 'Core Loop', status: 'draft' },
    { id: 'pln_multi', versionLabel: 'v0.3', title: 'Multiplayer Test', status: 'draft' },
  ],
  list_idea_threads: [
    { id: 'thr_fishing', title: 'Fishing Minigame', unreadCount: 2 },
    { id: 'thr_weather', title: 'Weather Effects', unreadCount: 0 },
    { id: 'thr_music', title: 'Boss Music', unreadCount: 0 },
  ],
  list_exports: [{ id: 'exp_1', exportType: 'gdd', format: 'markdown', title: 'Game design document' }],
}

export interface MadeCall {
  toolName: string
  input: Row
}

/** GamePlan's real tools as a model is offered them, some left out when `only` is given. */
export function offeredTools(only: (name: string) => boolean = () => true): LanguageModelV4FunctionTool[] {
  return gameplan.tools
    .filter(({ name }) => only(name))
    .map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      inputSchema: z.toJSONSchema(inputSchema, { io: 'input' }) as LanguageModelV4FunctionTool['inputSchema'], // zod types it more widely
    }))
}

/** Answers as a small fixed studio would; deletes and finalizes wait for approval, as the gate makes them. */
export function fakeExecutor(made: MadeCall[]): (toolName: string, input: Row) => ToolResult {
  return (toolName, input) => {
    made.push({ toolName, input })
    const tool = gameplan.tools.find(({ name }) => name === toolName)
    if (!tool) return { success: false, code: 'UNKNOWN_TOOL', error: `There is no tool \`${toolName}\`.` }
    const parsed = tool.inputSchema.safeParse(input)
    if (!parsed.success) return { success: false, code: 'VALIDATION', error: parsed.error.message }
    const rows = lists[toolName]
    if (rows)
      return {
        success: true,
        data: { items: rows, total: rows.length, page: 1, totalPages: 1 },
        message: `Listed ${rows.length}`,
      }
    if (
      tool.kind === 'delete'
        ? toolName !== 'remove_dependency'
        : tool.kind === 'action' && toolName.startsWith('finalize')
    ) {
      return {
        success: false,
        requiresConfirmation: true,
        approvalId: 'apr_1',
        message: `${tool.title} waits for a person's approval.`,
      }
    }
    const subject = input.name ?? input.title ?? toolName
    if (tool.kind === 'read')
      return {
        success: true,
        data: { id: String(Object.values(input)[0] ?? 'x'), name: 'A thing' },
        message: `Read ${toolName}`,
      }
    return { success: true, data: { ...input, id: `new_${made.length}` }, message: `${toolName} "${String(subject)}"` }
  }
}

const model = createOfflineModel({ packs: [gameplan] })
const allTools = offeredTools()

/** A conversation with the interpreter: what it called, and what it said at the end of each turn. */
export class Conversation {
  readonly made: MadeCall[] = []
  private readonly prompt: LanguageModelV4Prompt = [
    { role: 'system', content: 'This project: "Dungeon Crawler", id prj_dungeon' },
  ]
  private readonly tools: LanguageModelV4FunctionTool[]
  private readonly execute: (toolName: string, input: Row) => ToolResult

  constructor(
    options: {
      tools?: LanguageModelV4FunctionTool[]
      execute?: (toolName: string, input: Row) => ToolResult | undefined
    } = {},
  ) {
    this.tools = options.tools ?? allTools
    const answer = fakeExecutor(this.made)
    this.execute = (toolName, input) => {
      const own = options.execute?.(toolName, input)
      if (own) this.made.push({ toolName, input })
      return own ?? answer(toolName, input)
    }
  }

  /** Says something and lets the interpreter work until it answers in words. */
  async say(text: string): Promise<{ answer: string; calls: MadeCall[]; steps: number }> {
    this.prompt.push({ role: 'user', content: [{ type: 'text', text }] })
    const before = this.made.length
    for (let steps = 0; steps <= 8; steps++) {
      const { content } = await model.doGenerate({ prompt: this.prompt, tools: this.tools })
      const calls = content.filter((part) => part.type === 'tool-call')
      if (calls.length === 0) {
        const answer = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
        this.prompt.push({ role: 'assistant', content: [{ type: 'text', text: answer }] })
        return { answer, calls: this.made.slice(before), steps }
      }
      this.prompt.push({
        role: 'assistant',
        content: calls.map((call) => ({ ...call, input: JSON.parse(call.input) })),
      })
      this.prompt.push({
        role: 'tool',
        content: calls.map(({ toolCallId, toolName, input }) => ({
          type: 'tool-result',
          toolCallId,
          toolName,
          output: { type: 'json', value: JSON.parse(JSON.stringify(this.execute(toolName, JSON.parse(input)))) },
        })),
      })
    }
    throw new Error(`The interpreter did not come to an end on: ${text}`)
  }
}

export function kindOf(toolName: string): string {
  return gameplan.tools.find(({ name }) => name === toolName)?.kind ?? 'unknown'
}

const lookUps = new Set(Object.keys(lists))

/** The calls that were not made only to look names up. */
export function intended(calls: readonly MadeCall[]): MadeCall[] {
  const last = calls.at(-1)
  return calls.filter(
    (call) =>
      call === last ||
      !lookUps.has(call.toolName) ||
      Object.keys(call.input).some((key) => !/^(page|pageSize|limit|projectId)$/.test(key)),
  )
}

/** right: exactly the call that was asked for. wrong: another call or other arguments. silent: an honest answer without any call. */
export function judge(
  calls: readonly MadeCall[],
  tool: string,
  input: Row,
): 'right' | 'silent' | 'wrong-read' | 'WRONG-WRITE' {
  const meant = intended(calls)
  const writes = meant.filter(({ toolName }) => kindOf(toolName) !== 'read')
  const plain = (value: Row) =>
    JSON.stringify(
      Object.entries(value)
        .filter(([key, item]) => !(key === 'projectId' && item === 'prj_dungeon'))
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    )
  const isRight = meant.length === 1 && meant[0]?.toolName === tool && plain(meant[0].input) === plain(input)
  if (isRight) return 'right'
  if (writes.length > 0) return 'WRONG-WRITE'
  const isSilent = meant.every(
    ({ toolName, input: given }) =>
      lookUps.has(toolName) && Object.keys(given).every((key) => /^(page|pageSize|limit|projectId)$/.test(key)),
  )
  return isSilent && !lookUps.has(tool) ? 'silent' : meant.length === 0 ? 'silent' : 'wrong-read'
}
