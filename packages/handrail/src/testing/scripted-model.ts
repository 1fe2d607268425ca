import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { MockLanguageModelV4 } from 'ai/test'
import { halvesOf, jsonTextOf, type ScriptedTurn, waitBeforeChunk, wordsOf } from './scripted-turn.ts'

/** A turn that may also fail: at once, or in a stream after what it says. */
export interface ScriptedModelTurn extends ScriptedTurn {
  error?: unknown
}

/** What to say to exactly these messages and tools. */
export type TurnFunction = (
  options: LanguageModelV4CallOptions,
  turn: number,
) => ScriptedModelTurn | Promise<ScriptedModelTurn>

export interface ScriptedModel extends MockLanguageModelV4 {
  /** What each call was given, generated and streamed ones alike, in order: `prompt`, `tools`, `toolChoice` … */
  readonly calls: readonly LanguageModelV4CallOptions[]
}

/**
 * A language model that says what a test wants it to, for `generateText` and `streamText`. A call beyond the script
 * fails, and says so.
 *
 * @param script one entry per model call; or one function for all of them.
 * @example
 * const model = scriptedModel([
 *   { toolCalls: [{ name: 'get_page', input: { pageId: 'p1' } }] },
 *   { text: 'The page is called Home.' },
 * ])
 * await generateText({ model, tools, stopWhen: isStepCount(2), prompt: 'What is page p1?' })
 * model.calls[1]?.prompt   // ends with the tool's result
 */
export function scriptedModel(script: readonly (ScriptedModelTurn | TurnFunction)[] | TurnFunction): ScriptedModel {
  const calls: LanguageModelV4CallOptions[] = []
  let toolCallCount = 0

  async function nextTurn(
    options: LanguageModelV4CallOptions,
  ): Promise<Required<Pick<ScriptedTurn, 'toolCalls'>> & ScriptedModelTurn> {
    options.abortSignal?.throwIfAborted()
    const turn = calls.push(options) - 1
    const scripted = typeof script === 'function' ? script : script[turn]
    if (scripted === undefined) throw new Error(`The script has no turn for model call ${turn + 1}`)
    const said = typeof scripted === 'function' ? await scripted(options, turn) : scripted
    return { ...said, toolCalls: (said.toolCalls ?? []).map((call) => ({ id: `call_${++toolCallCount}`, ...call })) }
  }

  const model = new MockLanguageModelV4({
    provider: 'scripted',
    modelId: 'scripted',
    doGenerate: async (options) => {
      const turn = await nextTurn(options)
      if (turn.error !== undefined) throw turn.error
      return { content: contentOf(turn), finishReason: finishReasonOf(turn), usage: usageOf(turn), warnings: [] }
    },
    doStream: async (options) => {
      const turn = await nextTurn(options)
      const parts = streamPartsOf(turn)
      if (turn.error !== undefined && parts.length === 0) throw turn.error
      return { stream: streamOf(parts, turn, options.abortSignal) }
    },
  })
  return Object.assign(model, { calls })
}

function contentOf(turn: ScriptedTurn): LanguageModelV4Content[] {
  const content: LanguageModelV4Content[] = []
  if (turn.reasoning !== undefined) content.push({ type: 'reasoning', text: turn.reasoning })
  if (turn.text !== undefined) content.push({ type: 'text', text: turn.text })
  for (const call of turn.toolCalls ?? []) {
    content.push({ type: 'tool-call', toolCallId: call.id ?? '', toolName: call.name, input: jsonTextOf(call) })
  }
  return content
}

function streamPartsOf(turn: ScriptedTurn): LanguageModelV4StreamPart[] {
  const parts: LanguageModelV4StreamPart[] = []
  for (const kind of ['reasoning', 'text'] as const) {
    const said = turn[kind]
    if (said === undefined) continue
    parts.push({ type: `${kind}-start`, id: kind })
    parts.push(...wordsOf(said).map((delta): LanguageModelV4StreamPart => ({ type: `${kind}-delta`, id: kind, delta })))
    parts.push({ type: `${kind}-end`, id: kind })
  }
  for (const call of turn.toolCalls ?? []) {
    const id = call.id ?? ''
    const input = jsonTextOf(call)
    parts.push({ type: 'tool-input-start', id, toolName: call.name })
    parts.push(...halvesOf(input).map((delta): LanguageModelV4StreamPart => ({ type: 'tool-input-delta', id, delta })))
    parts.push({ type: 'tool-input-end', id })
    parts.push({ type: 'tool-call', toolCallId: id, toolName: call.name, input })
  }
  return parts
}

function streamOf(
  said: readonly LanguageModelV4StreamPart[],
  turn: ScriptedModelTurn,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  const ending: LanguageModelV4StreamPart =
    turn.error === undefined
      ? { type: 'finish', finishReason: finishReasonOf(turn), usage: usageOf(turn) }
      : { type: 'error', error: turn.error }
  const parts = [{ type: 'stream-start', warnings: [] } satisfies LanguageModelV4StreamPart, ...said, ending].values()
  return new ReadableStream({
    async pull(controller) {
      // A provider's stream breaks when its request is aborted; without this one could not test a stop.
      await waitBeforeChunk(turn.delayChunks, signal)
      const { value, done } = parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

function finishReasonOf(turn: ScriptedTurn): LanguageModelV4FinishReason {
  const unified = turn.finishReason ?? ((turn.toolCalls ?? []).length > 0 ? 'tool-calls' : 'stop')
  return { unified, raw: unified }
}

function usageOf({ usage }: ScriptedTurn): LanguageModelV4Usage {
  const input = usage?.inputTokens ?? 10
  const output = usage?.outputTokens ?? 5
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  }
}
