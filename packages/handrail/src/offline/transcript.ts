import type { LanguageModelV4Prompt, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import type { ToolResult } from '../tool/tool-result.ts'

/** A call to hand to the gate. */
export interface PlannedCall {
  toolName: string
  input: Record<string, unknown>
}

/** A call as it stands in the conversation, with what came of it. */
export interface PastCall {
  toolName: string
  input: unknown
  result: ToolResult
}

/** What a model sees of a conversation, in the interpreter's terms. */
export interface Transcript {
  instructions: string
  /** The newest message of the person: the only text that is ever read as a request. */
  userText: string
  /** Steps since that message: each the calls of one model turn. */
  steps: PastCall[][]
  /** Calls of earlier turns, oldest first. */
  earlier: PastCall[][]
  /** Is the newest message a word in between, to calls that were not answered in words yet? */
  isInterjected: boolean
  /** Where in the conversation we are: makes call ids that are the same for the same place. */
  position: number
}

/** Reads a prompt. A call without a result counts as failed: nothing is known of it. */
export function readTranscript(prompt: LanguageModelV4Prompt): Transcript {
  const newest = prompt.findLastIndex((message) => message.role === 'user')
  const turns: PastCall[][] = [[]]
  for (const [index, message] of prompt.slice(0, Math.max(newest, 0)).entries()) {
    if (message.role === 'user') turns.push([])
    else turns[turns.length - 1]?.push(...callsAt(prompt, index))
  }
  const user = prompt[newest]
  return {
    instructions: prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n'),
    userText:
      user?.role === 'user' ? user.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n') : '',
    steps: prompt
      .flatMap((_, index) => (index > newest ? [callsAt(prompt, index)] : []))
      .filter((calls) => calls.length > 0),
    earlier: turns.filter((calls) => calls.length > 0),
    isInterjected: prompt[newest - 1]?.role === 'tool',
    position: prompt.filter((message) => message.role !== 'system').length,
  }
}

/** The calls of the message at a place, with the results that follow it: providers may use a call id again later. */
function callsAt(prompt: LanguageModelV4Prompt, index: number): PastCall[] {
  const message = prompt[index]
  if (message?.role !== 'assistant') return []
  const next = prompt.findIndex(({ role }, place) => place > index && role === 'assistant')
  const results = new Map<string, ToolResult>()
  for (const each of prompt.slice(index, next < 0 ? undefined : next)) {
    if (each.role !== 'tool' && each.role !== 'assistant') continue
    for (const part of each.content)
      if (part.type === 'tool-result') results.set(part.toolCallId, readResult(part.output))
  }
  return message.content.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ toolName: part.toolName, input: part.input, result: results.get(part.toolCallId) ?? noResult }]
      : [],
  )
}

const noResult: ToolResult = { success: false, code: 'INTERNAL', error: 'There is no result of this call.' }

function readResult(output: LanguageModelV4ToolResultOutput): ToolResult {
  switch (output.type) {
    case 'json':
    case 'error-json':
      return resultOf(output.value)
    case 'text':
    case 'error-text':
      return resultOf(parsed(output.value))
    case 'execution-denied':
      return { success: false, code: 'DECLINED', error: output.reason ?? 'It was declined.' }
    case 'content':
      return resultOf(output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'))
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Anything that is no result of our gate is taken as data without a message. */
function resultOf(value: unknown): ToolResult {
  if (typeof value === 'object' && value !== null && 'success' in value && typeof value.success === 'boolean') {
    return value as ToolResult // the gate's own shape; every field is read defensively where it is used
  }
  return { success: true, data: value, message: '' }
}
