import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Middleware,
  LanguageModelV4ToolCall,
} from '@ai-sdk/provider'
import type { JsonSchemaDefinition } from '../tool/json-schema.ts'
import type { RecoveredCall } from './fit/fit-call.ts'
import { type GuardGrammar, guardGrammar } from './guard-grammar.ts'
import { guardStream, isRepeated, toolCallPart } from './guard-stream.ts'
import { scanMessage } from './scan-message.ts'
import type { GuardTool } from './tool-index.ts'

export interface GuardOptions {
  /** The model's template ends with an opening reasoning tag, so that each answer begins within reasoning. */
  startsInReasoning?: boolean
  /** Told of each call that was found in text. */
  onRecovered?: (call: RecoveredCall) => void
}

/**
 * A language-model middleware that finds tool calls which the model wrote as text and hands them on as tool calls, in
 * generated and streamed answers. Reasoning in tags becomes reasoning. Text that is neither is not changed.
 *
 * Calls are sent when their text ends, since a closing `</think>` may still show that they were only thought of.
 *
 * @example
 * const guarded = wrapLanguageModel({ model: ollama('qwen3:4b'), middleware: guardMiddleware() })
 */
export function guardMiddleware(options: GuardOptions = {}): LanguageModelV4Middleware {
  const { startsInReasoning = false, onRecovered } = options
  return {
    specificationVersion: 'v4',
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate()
      if (wantsJson(params)) return result
      const truncated = result.finishReason.unified === 'length'
      const tools = grammarOf(params)
      const made = result.content.filter((part) => part.type === 'tool-call')
      const content: LanguageModelV4Content[] = []
      let recovered = false
      for (const part of result.content) {
        if (part.type !== 'text') {
          content.push(part)
          continue
        }
        const message = scanMessage([part.text], { tools, startsInReasoning }, truncated)
        if (message.reasoning.trim() !== '') content.push({ type: 'reasoning', text: message.reasoning })
        if (message.text === part.text) content.push(part)
        else if (message.text.trim() !== '') content.push({ ...part, text: message.text })
        for (const call of newCalls(message.calls, made)) {
          recovered = true
          onRecovered?.(call)
          content.push(toolCallPart(call))
        }
      }
      if (!recovered) return { ...result, content }
      return { ...result, content, finishReason: { ...result.finishReason, unified: 'tool-calls' } }
    },
    async wrapStream({ doStream, params }) {
      const result = await doStream()
      if (wantsJson(params)) return result
      const guard = guardStream({ grammar: grammarOf(params), startsInReasoning, onRecovered })
      return { ...result, stream: result.stream.pipeThrough(guard) }
    },
  }
}

function newCalls(calls: readonly RecoveredCall[], made: readonly LanguageModelV4ToolCall[]): RecoveredCall[] {
  return calls.filter((call) => !isRepeated(call, made))
}

/** An answer that was asked for as JSON is data, whatever it looks like. */
function wantsJson(params: LanguageModelV4CallOptions): boolean {
  return params.responseFormat?.type === 'json'
}

const grammars = new WeakMap<object, GuardGrammar>()
const withoutTools = guardGrammar([])

/** Kept per list of tools: a loop offers the same list at every step. */
function grammarOf(params: LanguageModelV4CallOptions): GuardGrammar {
  if (params.tools === undefined || params.toolChoice?.type === 'none') return withoutTools
  let grammar = grammars.get(params.tools)
  if (grammar === undefined) {
    const tools: GuardTool[] = []
    for (const tool of params.tools)
      if (tool.type === 'function') tools.push({ name: tool.name, parameters: schemaOf(tool.inputSchema) })
    grammar = guardGrammar(tools)
    grammars.set(params.tools, grammar)
  }
  return grammar
}

/** The SDK's type of a JSON Schema is that of draft 7, of which only what we know is read. */
function schemaOf(schema: unknown): JsonSchemaDefinition {
  // as: a JSON Schema is an object or a boolean, and every reader of it checks what it takes from it
  return schema as JsonSchemaDefinition
}
