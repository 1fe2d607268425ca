import type { LanguageModelV4StreamPart, LanguageModelV4ToolCall } from '@ai-sdk/provider'
import { newId } from '../principal/new-id.ts'
import { CallScanner } from './call-scanner.ts'
import type { RecoveredCall } from './fit/fit-call.ts'
import type { GuardGrammar } from './guard-grammar.ts'
import type { ScannedPart } from './scanned-part.ts'

export interface GuardStreamOptions {
  grammar: GuardGrammar
  startsInReasoning: boolean
  /** Told of each call that was found in text. */
  onRecovered: ((call: RecoveredCall) => void) | undefined
}

/** A recovered call as a provider would have sent it. */
export function toolCallPart(call: RecoveredCall): LanguageModelV4ToolCall {
  return { type: 'tool-call', toolCallId: newId(), toolName: call.name, input: JSON.stringify(call.arguments) }
}

/** Whether the model made this call in the proper way too, as some servers let it. */
export function isRepeated(call: RecoveredCall, made: readonly LanguageModelV4ToolCall[]): boolean {
  return made.some((other) => other.toolName === call.name && sameJson(other.input, call.arguments))
}

function sameJson(input: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(input)) === JSON.stringify(value)
  } catch {
    return false
  }
}

/**
 * Takes the text of a stream apart: what is a call leaves as a tool call, at the end of its text; what is reasoning
 * leaves as reasoning. All other parts pass unchanged.
 */
export function guardStream(
  options: GuardStreamOptions,
): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  let block: TextBlock | undefined
  let recovered = false
  const made: LanguageModelV4ToolCall[] = []
  type Controller = TransformStreamDefaultController<LanguageModelV4StreamPart>

  function end(controller: Controller, truncated: boolean): void {
    if (block === undefined) return
    const calls = block.finish(controller, truncated)
    block = undefined
    for (const call of calls) {
      if (isRepeated(call, made)) continue
      recovered = true
      options.onRecovered?.(call)
      const part = toolCallPart(call)
      controller.enqueue({ type: 'tool-input-start', id: part.toolCallId, toolName: part.toolName })
      controller.enqueue({ type: 'tool-input-delta', id: part.toolCallId, delta: part.input })
      controller.enqueue({ type: 'tool-input-end', id: part.toolCallId })
      controller.enqueue(part)
    }
  }

  return new TransformStream({
    transform(part, controller) {
      switch (part.type) {
        case 'text-start':
          end(controller, false)
          block = new TextBlock(part, options)
          break
        case 'text-delta':
          block ??= new TextBlock({ type: 'text-start', id: part.id }, options)
          block.push(part.delta, controller)
          break
        case 'text-end':
          // Whether the text was cut off is only said at the very end.
          block?.close(part)
          break
        case 'finish': {
          end(controller, part.finishReason.unified === 'length')
          controller.enqueue(
            recovered ? { ...part, finishReason: { ...part.finishReason, unified: 'tool-calls' } } : part,
          )
          break
        }
        case 'raw':
        case 'ping':
        case 'response-metadata':
          controller.enqueue(part)
          break
        default:
          if (part.type === 'tool-call') made.push(part)
          if (block?.closed === true) end(controller, false)
          controller.enqueue(part)
      }
    },
    flush: (controller) => end(controller, true),
  })
}

type TextStart = LanguageModelV4StreamPart & { type: 'text-start' }
type TextEnd = LanguageModelV4StreamPart & { type: 'text-end' }
type Sink = { enqueue(part: LanguageModelV4StreamPart): void }

/** One text of the stream. Its start is sent with its first word: a text that is all call leaves none behind. */
class TextBlock {
  closed = false
  private readonly scanner: CallScanner
  private readonly start: TextStart
  private endPart: TextEnd
  private open: { kind: 'text' | 'reasoning'; id: string } | undefined
  private count = 0
  private calls: RecoveredCall[] = []

  constructor(start: TextStart, options: GuardStreamOptions) {
    this.start = start
    this.endPart = { type: 'text-end', id: start.id }
    this.scanner = new CallScanner({ tools: options.grammar, startsInReasoning: options.startsInReasoning })
  }

  push(delta: string, sink: Sink): void {
    this.send(this.scanner.push(delta), sink)
  }

  close(part: TextEnd): void {
    this.closed = true
    this.endPart = part
  }

  finish(sink: Sink, truncated: boolean): RecoveredCall[] {
    this.send(this.scanner.finish(truncated), sink)
    this.switchTo(undefined, sink)
    return this.calls
  }

  private send(parts: readonly ScannedPart[], sink: Sink): void {
    for (const part of parts) {
      if (part.type === 'call') this.calls.push(part.call)
      else if (part.type === 'was-reasoning') {
        this.calls = []
        this.switchTo(undefined, sink)
      } else if (part.text !== '') {
        const id = this.switchTo(part.type, sink)
        sink.enqueue(
          part.type === 'text'
            ? { type: 'text-delta', id, delta: part.text }
            : { type: 'reasoning-delta', id, delta: part.text },
        )
      }
    }
  }

  private switchTo(kind: 'text' | 'reasoning' | undefined, sink: Sink): string {
    if (this.open !== undefined && this.open.kind === kind) return this.open.id
    if (this.open?.kind === 'text') sink.enqueue({ ...this.endPart, id: this.open.id })
    if (this.open?.kind === 'reasoning') sink.enqueue({ type: 'reasoning-end', id: this.open.id })
    this.open = undefined
    if (kind === undefined) return this.start.id
    // The first part keeps the provider's id; further ones need their own.
    const id = this.count++ === 0 ? this.start.id : `${this.start.id}-${this.count}`
    this.open = { kind, id }
    sink.enqueue(kind === 'text' ? { ...this.start, id } : { type: 'reasoning-start', id })
    return id
  }
}
