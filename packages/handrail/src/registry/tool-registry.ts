import type { ModelMessage } from 'ai'
import { DefinitionError } from '../errors/definition-error.ts'
import { type AnthropicTool, anthropicTool } from '../formats/anthropic.ts'
import { type OpenAITool, openAITool } from '../formats/openai.ts'
import { inputJsonSchemaOf } from '../tool/convert-schema.ts'
import type { Tool } from '../tool/tool.ts'
import { type AISDKTools, type AISDKToolsOptions, aiSdkTools, respondToApprovals } from './ai-sdk-tools.ts'
import { brokenCallFailure, unboundFailure, unknownToolFailure } from './call-failures.ts'
import type { RegistryCall, ToolCaller } from './tool-caller.ts'

/** Every model provider takes these and nothing else. */
const wireNamePattern = /^[a-zA-Z0-9_-]{1,64}$/
/** OpenAI's limit on a function's description, the smallest of the providers'. */
const longestDescription = 1_024

/**
 * A list of tools by name, and the formats that models and loops want them in. It never runs a tool: every call goes
 * through the `ToolCaller` it is bound to, and without one it refuses.
 *
 * @example
 * const registry = new ToolRegistry([getPage, createPage])
 * registry.toOpenAITools()                                  // to show a model
 * await gate.registry(principal).executeTool('get_page', { pageId: 'p1' })   // '{"success":true, …}'
 */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool>()
  /** Names as a hurried reader sees them, to the real ones. */
  readonly #folded = new Map<string, string>()
  readonly #caller: ToolCaller | undefined
  #all: readonly Tool[] | undefined

  /**
   * @param tools registered one by one; every problem of every tool is listed in one error.
   * @param caller the gate, bound to a principal. Without it nothing can be executed.
   * @throws DefinitionError
   */
  constructor(tools: readonly Tool[] = [], caller?: ToolCaller) {
    this.#caller = caller
    const problems = tools.flatMap((tool) => this.#add(tool).map((problem) => `\`${tool.name}\`: ${problem}`))
    if (problems.length > 0) throw new DefinitionError('the list of tools', problems)
  }

  /**
   * Adds a tool.
   *
   * @throws DefinitionError when the name is taken, or differs from a taken one only in case or in letters that look
   * the same, or when a provider could not take its name, description or schema.
   */
  register(tool: Tool): this {
    const problems = this.#add(tool)
    if (problems.length > 0) throw new DefinitionError(`tool \`${tool.name}\``, problems)
    return this
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name)
  }

  /** In the order of registration; the same array until a tool is added. */
  getAll(): readonly Tool[] {
    this.#all ??= Object.freeze([...this.#tools.values()])
    return this.#all
  }

  getByCategory(category: string): Tool[] {
    return this.getAll().filter((tool) => tool.category === category)
  }

  /** The same tools, executed by this caller. */
  boundTo(caller: ToolCaller): ToolRegistry {
    return new ToolRegistry(this.getAll(), caller)
  }

  /**
   * Tools for a loop of your own with `generateText` or `streamText`. Give the loop both parts.
   *
   * `toolApproval` looks an approval up or stores it; `execute` claims it whatever the loop believes. An approval that
   * the messages claim and the store does not know runs nothing. To take a person's answer from the messages they
   * posted, call `respondToApprovals` before the loop.
   */
  toAISDKTools(options: AISDKToolsOptions = {}): AISDKTools {
    return aiSdkTools(this.getAll(), this.#caller, options)
  }

  /**
   * Takes the approval responses in the newest message as decisions of the person the registry is bound to. Call it
   * with what that person posted, before the loop, and only when you know it is them; give the options that
   * `toAISDKTools` gets.
   *
   * @example
   * await registry.respondToApprovals(messages)
   * const result = streamText({ model, messages, ...registry.toAISDKTools() })
   */
  async respondToApprovals(messages: readonly ModelMessage[], options: AISDKToolsOptions = {}): Promise<void> {
    if (this.#caller !== undefined) await respondToApprovals(this.#caller, messages, options)
  }

  /** Chat completions format: `{ type: 'function', function: { name, description, parameters } }`. */
  toOpenAITools(): OpenAITool[] {
    return this.getAll().map((tool) => openAITool(tool))
  }

  /** Messages API format: `{ name, description, input_schema }`. */
  toAnthropicTools(): AnthropicTool[] {
    return this.getAll().map((tool) => anthropicTool(tool))
  }

  /**
   * Executes a tool through the gate. Always resolves to a JSON text that a model can be given: a `ToolResult`,
   * shortened and redacted; for an unknown name, bad arguments or a refusal a failure that says what would work.
   *
   * @param args the arguments, as an object or as the JSON text a model wrote.
   */
  async executeTool(
    name: string,
    args: unknown,
    options: Pick<RegistryCall, 'idempotencyKey' | 'toolCallId' | 'signal'> = {},
  ): Promise<string> {
    if (!this.#tools.has(name)) return JSON.stringify(unknownToolFailure(name, [...this.#tools.keys()]))
    if (this.#caller === undefined) return JSON.stringify(unboundFailure)
    try {
      const outcome = await this.#caller.call({ ...options, name, input: args })
      return JSON.stringify(outcome.forModel) ?? JSON.stringify(outcome.result)
    } catch {
      return JSON.stringify(brokenCallFailure)
    }
  }

  #add(tool: Tool): string[] {
    const problems: string[] = []
    const folded = tool.name.normalize('NFKC').toLowerCase()
    const taken = this.#folded.get(folded)
    if (taken === tool.name) problems.push('a tool of this name is registered already')
    else if (taken !== undefined) problems.push(`the name looks like \`${taken}\`, which is registered already`)
    if (!wireNamePattern.test(tool.name)) problems.push('the name must be 1 to 64 letters, digits, `_` or `-`')
    if (tool.description.length > longestDescription) {
      problems.push(`the description has ${tool.description.length} characters, providers take ${longestDescription}`)
    }
    try {
      inputJsonSchemaOf(tool)
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error
      problems.push(...error.problems)
    }
    if (problems.length > 0) return problems
    this.#tools.set(tool.name, tool)
    this.#folded.set(folded, tool.name)
    this.#all = undefined
    return []
  }
}
