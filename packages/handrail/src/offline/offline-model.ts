import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4FunctionTool,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { PackPhrases } from '../pack/pack.ts'
import type { ToolKind } from '../tool/tool.ts'
import { defaultModelHint } from './explain.ts'
import { conclude, interpret } from './interpret.ts'
import { type OfferedTool, offeredTools, type PackHints } from './offered-tools.ts'
import { readTranscript } from './transcript.ts'

export interface OfflineModelOptions {
  /** The packs whose tools may be offered, with the words people use for their things. */
  packs?: readonly PackHints[]
  /** For tools of no pack: the words alone. Kinds and categories are then read from the tools' names. */
  phrases?: PackPhrases
  /** How a person gets a language model instead: the names of your environment variables. */
  modelHint?: string
}

/**
 * A language model without a language model: deterministic, built in, serving when none is configured. It carries out
 * script lines (`/tool_name {json}`) and simple requests in words, and says so honestly when it does not understand.
 * It never makes a write that was not understood word for word.
 *
 * @example
 * const model = createOfflineModel({ packs: [gameplan] })
 * await generateText({ model, tools, prompt: 'Delete the old prototype system' })
 */
export function createOfflineModel(options: OfflineModelOptions = {}): LanguageModelV4 {
  const toolsFor = rememberingLast((tools: readonly LanguageModelV4FunctionTool[]) =>
    offeredTools(tools, packsFor(tools, options)),
  )
  const modelHint = options.modelHint ?? defaultModelHint

  function answer({ prompt, tools = [], toolChoice }: LanguageModelV4CallOptions): LanguageModelV4Content[] {
    const transcript = readTranscript(prompt)
    const functions = tools.filter((tool) => tool.type === 'function')
    const offered: readonly OfferedTool[] = toolsFor(functions)
    const isOff = toolChoice?.type === 'none' || functions.length === 0
    const turn = isOff
      ? ({ kind: 'text', text: conclude(transcript, offered, modelHint) } as const)
      : interpret(transcript, offered, modelHint)
    if (turn.kind === 'text') return [{ type: 'text', text: turn.text }]
    return turn.calls.map(({ toolName, input }, index) => ({
      type: 'tool-call',
      toolCallId: `offline-${transcript.position}-${index}`,
      toolName,
      input: JSON.stringify(input),
    }))
  }

  return {
    specificationVersion: 'v4',
    provider: 'handrail',
    modelId: 'offline-interpreter',
    supportedUrls: {},
    async doGenerate(call) {
      call.abortSignal?.throwIfAborted()
      const content = answer(call)
      return { content, finishReason: finishReason(content), usage: usageOf(call, content), warnings: [] }
    },
    async doStream(call) {
      call.abortSignal?.throwIfAborted()
      const content = answer(call)
      return {
        stream: streamOf([
          { type: 'stream-start', warnings: [] },
          ...partsOf(content),
          { type: 'finish', finishReason: finishReason(content), usage: usageOf(call, content) },
        ]),
      }
    },
  }
}

function packsFor(
  tools: readonly LanguageModelV4FunctionTool[],
  { packs = [], phrases }: OfflineModelOptions,
): PackHints[] {
  const unknown = tools.filter(
    ({ name }) =>
      !packs.some((pack) => pack.tools.some((tool) => tool.name === name || `${pack.name}__${tool.name}` === name)),
  )
  if (phrases === undefined) return [...packs]
  const guessed = unknown.map(({ name }) => ({ name, category: categoryOf(name, phrases), kind: kindOf(name) }))
  return [...packs, { name: '', tools: guessed, phrases }]
}

/** Without a pack's word for it, a tool that is not plainly a read counts as an action. */
function kindOf(name: string): ToolKind {
  const [verb = ''] = name.split('_')
  if (/^(list|get|search|find|read|show|count|check|validate)$/.test(verb)) return 'read'
  if (/^(create|add|new)$/.test(verb)) return 'create'
  if (/^(update|set|rename|change)$/.test(verb)) return 'update'
  return /^(delete|remove)$/.test(verb) ? 'delete' : 'action'
}

function categoryOf(name: string, phrases: PackPhrases): string {
  const plain = name.replaceAll('_', ' ')
  return Object.keys(phrases.nouns).find((category) => plain.includes(category.replaceAll('-', ' '))) ?? ''
}

const chunkLength = 24

function partsOf(content: readonly LanguageModelV4Content[]): LanguageModelV4StreamPart[] {
  return content.flatMap((part, index): LanguageModelV4StreamPart[] => {
    if (part.type !== 'text') return part.type === 'tool-call' ? [part] : []
    const id = `text-${index}`
    return [
      { type: 'text-start', id },
      ...chunksOf(part.text).map((delta) => ({ type: 'text-delta' as const, id, delta })),
      { type: 'text-end', id },
    ]
  })
}

/** Small pieces that end between words and never inside a character. */
function chunksOf(text: string): string[] {
  const chunks: string[] = []
  for (const word of text.split(/(?<=\s)/)) {
    const last = chunks[chunks.length - 1]
    if (last !== undefined && last.length + word.length <= chunkLength) chunks[chunks.length - 1] = last + word
    else chunks.push(word)
  }
  return chunks
}

function streamOf(parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  const left = parts[Symbol.iterator]()
  return new ReadableStream({
    pull(controller) {
      const next = left.next()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
  })
}

function finishReason(content: readonly LanguageModelV4Content[]): LanguageModelV4FinishReason {
  const unified = content.some((part) => part.type === 'tool-call') ? 'tool-calls' : 'stop'
  return { unified, raw: unified }
}

/** Estimated, four characters to a token, so that budgets and bills of other models can be tried out. */
function usageOf(
  { prompt, tools }: LanguageModelV4CallOptions,
  content: readonly LanguageModelV4Content[],
): LanguageModelV4Usage {
  const input = Math.ceil((JSON.stringify(prompt).length + JSON.stringify(tools ?? []).length) / 4)
  const output = Math.ceil(JSON.stringify(content).length / 4)
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  }
}

/** Keeps the newest few results: the tools of a conversation are the same from step to step. */
function rememberingLast<Value>(
  make: (tools: readonly LanguageModelV4FunctionTool[]) => Value,
): (tools: readonly LanguageModelV4FunctionTool[]) => Value {
  const known = new Map<string, Value>()
  return (tools) => {
    const key = JSON.stringify(tools.map(({ name, inputSchema }) => [name, inputSchema]))
    const value = known.get(key) ?? make(tools)
    known.delete(key)
    known.set(key, value)
    const [oldest] = known.keys()
    if (known.size > 8 && oldest !== undefined) known.delete(oldest)
    return value
  }
}
