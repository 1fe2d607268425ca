import { generateText, type LanguageModel, type ModelMessage, streamText, type ToolChoice, type ToolSet } from 'ai'
import { repairToolCall } from '../guard/repair-tool-call.ts'
import { newId } from '../principal/new-id.ts'
import type { RunStep, StepCall } from '../store/run-store.ts'
import type { RunChunk } from './run-channel.ts'

export interface ModelTurn {
  model: LanguageModel
  instructions: string
  messages: ModelMessage[]
  tools: ToolSet
  toolChoice: ToolChoice<ToolSet>
  signal: AbortSignal
  /** Streamed, every part of the turn is handed on as it comes; else it is generated whole and handed on at its end. */
  streams: boolean
  onChunk: (chunk: RunChunk) => void
}

export type ModelAnswer = Pick<RunStep, 'messages' | 'calls' | 'finishReason' | 'usage' | 'durationMs'> & {
  text: string
}

/**
 * One turn of the model: one step of the AI SDK, with tools it cannot execute. Call ids are ours from here on, since
 * providers repeat theirs.
 *
 * @throws what the provider throws after the SDK's own retries; an abort ends with an `AbortError`
 */
export async function modelStep(turn: ModelTurn): Promise<ModelAnswer> {
  const startedAt = performance.now()
  const ids = new Map<string, string>()
  const ourId = (theirs: string) => {
    let id = ids.get(theirs)
    if (id === undefined) {
      id = newId()
      ids.set(theirs, id)
    }
    return id
  }
  const answer = turn.streams ? await stream(turn, ourId) : await generate(turn, ourId)
  return { ...answer, durationMs: Math.round(performance.now() - startedAt) }
}

type Answer = Omit<ModelAnswer, 'durationMs'>

async function generate(turn: ModelTurn, ourId: (theirs: string) => string): Promise<Answer> {
  const { model, instructions, messages, tools, toolChoice, signal, onChunk } = turn
  const result = await generateText({
    model,
    instructions,
    messages,
    tools,
    toolChoice,
    abortSignal: signal,
    repairToolCall,
    telemetry: { isEnabled: false },
  })
  const calls: StepCall[] = []
  for (const [index, part] of result.content.entries()) {
    if (part.type === 'text' || part.type === 'reasoning') {
      const id = `${part.type}-${index}`
      onChunk({ type: `${part.type}-start`, id })
      onChunk({ type: `${part.type}-delta`, id, delta: part.text })
      onChunk({ type: `${part.type}-end`, id })
    } else if (part.type === 'tool-call') {
      const call = stepCall(ourId(part.toolCallId), part.toolName, part.input)
      calls.push(call)
      onChunk(askedFor(call))
    }
  }
  return {
    text: result.text,
    calls,
    messages: withOurIds(result.responseMessages, ourId),
    finishReason: result.finishReason,
    usage: usageOf(result.usage),
  }
}

async function stream(turn: ModelTurn, ourId: (theirs: string) => string): Promise<Answer> {
  const { model, instructions, messages, tools, toolChoice, signal, onChunk } = turn
  let failure: unknown
  let ended: Pick<Answer, 'messages' | 'finishReason' | 'usage'> | undefined
  const result = streamText({
    model,
    instructions,
    messages,
    tools,
    toolChoice,
    abortSignal: signal,
    onError: () => {},
    // The result's own promises would each read the whole stream once more.
    onStepEnd: ({ response, finishReason, usage }) => {
      ended = { messages: withOurIds(response.messages, ourId), finishReason, usage: usageOf(usage) }
    },
    repairToolCall,
    telemetry: { isEnabled: false },
  })
  const calls: StepCall[] = []
  let text = ''
  for await (const part of result.stream) {
    switch (part.type) {
      case 'text-start':
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-end':
        onChunk({ type: part.type, id: part.id })
        break
      case 'text-delta':
        text += part.text
        onChunk({ type: 'text-delta', id: part.id, delta: part.text })
        break
      case 'reasoning-delta':
        onChunk({ type: 'reasoning-delta', id: part.id, delta: part.text })
        break
      case 'tool-input-start':
        onChunk({ type: 'tool-input-start', toolCallId: ourId(part.id), toolName: part.toolName })
        break
      case 'tool-input-delta':
        onChunk({ type: 'tool-input-delta', toolCallId: ourId(part.id), inputTextDelta: part.delta })
        break
      case 'tool-call': {
        const call = stepCall(ourId(part.toolCallId), part.toolName, part.input)
        calls.push(call)
        onChunk(askedFor(call))
        break
      }
      case 'error':
        failure = part.error
        break
      case 'abort':
        throw new DOMException('the run was stopped', 'AbortError')
      default:
        break
    }
  }
  if (failure !== undefined) throw failure
  if (ended === undefined) throw new Error('the answer broke off before its end')
  return { text, calls, ...ended }
}

function askedFor({ callId, toolName, input }: StepCall): RunChunk {
  return { type: 'tool-input-available', toolCallId: callId, toolName, input }
}

function stepCall(callId: string, toolName: string, input: unknown): StepCall {
  return { callId, toolCallId: callId, toolName, input }
}

/** The model's own messages; results are not among them, they are read from the record. */
function withOurIds(messages: readonly ModelMessage[], ourId: (theirs: string) => string): ModelMessage[] {
  const ours: ModelMessage[] = []
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    if (typeof message.content === 'string') ours.push(message)
    else
      ours.push({
        ...message,
        content: message.content
          .filter((part) => part.type !== 'tool-result')
          .map((part) =>
            part.type === 'tool-call'
              ? { ...part, toolCallId: ourId(part.toolCallId), input: objectInput(part.input) }
              : part,
          ),
      })
  }
  return ours
}

/** Providers take objects only; arguments that were no JSON are shown back to the model as what they were. */
function objectInput(input: unknown): unknown {
  return typeof input === 'string' ? { unreadable: input.slice(0, 2_000) } : input
}

function usageOf(usage: { inputTokens: number | undefined; outputTokens: number | undefined }): RunStep['usage'] {
  return { inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 }
}
