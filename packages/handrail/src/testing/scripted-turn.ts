import { setTimeout } from 'node:timers/promises'

export interface ScriptedToolCall {
  name: string
  /** The arguments; a text is taken as the JSON the model wrote, well-formed or not. */
  input: unknown
  /** The provider's id for the call, which may repeat. By default counted up: `call_1`, `call_2` … */
  id?: string
}

/** What a scripted model says in one turn. */
export interface ScriptedTurn {
  reasoning?: string
  text?: string
  toolCalls?: readonly ScriptedToolCall[]
  /** By default `tool-calls` or `stop`, as the content has it. */
  finishReason?: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'
  /** Before each chunk of a stream: so many milliseconds, or until a promise of yours settles. */
  delayChunks?: number | (() => Promise<void>)
  usage?: { inputTokens?: number; outputTokens?: number }
}

export function jsonTextOf(call: ScriptedToolCall): string {
  return typeof call.input === 'string' ? call.input : JSON.stringify(call.input ?? {})
}

/** A text in pieces as models stream them: word by word, so that every piece but the last ends in a space. */
export function wordsOf(text: string): string[] {
  return text.match(/\S*\s+|\S+$/g) ?? []
}

/** A text in two pieces, cut in the middle. */
export function halvesOf(text: string): string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '')
}

export async function waitBeforeChunk(
  delay: ScriptedTurn['delayChunks'],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (typeof delay === 'number') await setTimeout(delay, undefined, signal === undefined ? {} : { signal })
  else if (delay !== undefined) await Promise.race([delay(), aborted(signal)])
  signal?.throwIfAborted()
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }))
}
