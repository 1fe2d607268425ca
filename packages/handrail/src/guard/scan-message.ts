import { CallScanner, type CallScannerOptions } from './call-scanner.ts'
import type { RecoveredCall } from './fit/fit-call.ts'

/** A message taken apart. */
export interface ScannedMessage {
  text: string
  reasoning: string
  calls: RecoveredCall[]
}

/**
 * Takes a whole message apart.
 *
 * @param pieces the message, in one piece or as it arrived: the outcome is the same.
 * @param truncated the model was cut off: a call that is not closed is none.
 * @example
 * scanMessage(['Sure. <tool_call>{"name": "get_page", "arguments": {"id": "7"}}</tool_call>'], { tools })
 * // { text: 'Sure. ', reasoning: '', calls: [{ name: 'get_page', arguments: { id: '7' } }] }
 */
export function scanMessage(pieces: readonly string[], options: CallScannerOptions, truncated = false): ScannedMessage {
  const scanner = new CallScanner(options)
  const parts = pieces.flatMap((piece) => scanner.push(piece))
  parts.push(...scanner.finish(truncated))
  const end = parts.findLastIndex((part) => part.type === 'was-reasoning')
  const message: ScannedMessage = { text: '', reasoning: '', calls: [] }
  for (const [index, part] of parts.entries()) {
    if (part.type === 'was-reasoning') continue
    if (index < end) message.reasoning += part.type === 'call' ? part.written : part.text
    else if (part.type === 'text') message.text += part.text
    else if (part.type === 'reasoning') message.reasoning += part.text
    else message.calls.push(part.call)
  }
  return message
}
