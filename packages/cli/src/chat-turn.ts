import { parseJsonEventStream, uiMessageChunkSchema } from 'ai'
import { plainText, type RunChunk, type ToolCallRecord } from 'handrail'
import { callLine } from './call-line.ts'
import type { Terminal } from './command.ts'

/** What a turn left open: calls that wait for the person's approval. */
export interface ChatTurn {
  waiting: ToolCallRecord[]
  /** The assistant's message, which an answer to its questions goes on with. */
  messageId: string | undefined
  failed: boolean
}

/** Prints one answer as it comes: words as they are said, each call as one line once it has an outcome. */
export async function printTurn(response: Response, terminal: Terminal): Promise<ChatTurn> {
  if (response.body === null) return { waiting: [], failed: true, messageId: undefined }
  const calls = new Map<string, ToolCallRecord>()
  let failed = false
  let text = ''
  let messageId: string | undefined
  const flush = () => {
    if (text.trim() !== '') terminal.out(text.trim().split('\n').map(plainText).join('\n'))
    text = ''
  }
  const parts = parseJsonEventStream({ stream: response.body, schema: uiMessageChunkSchema })
  for await (const part of parts) {
    if (!part.success) continue
    const chunk = part.value as RunChunk // the server's own data parts, pinned there
    if (chunk.type === 'start') messageId = chunk.messageId
    else if (chunk.type === 'text-delta') text += chunk.delta
    else if (chunk.type === 'text-end') flush()
    else if (chunk.type === 'data-call') {
      const record = chunk.data as ToolCallRecord // as above
      const before = calls.get(record.callId)
      calls.set(record.callId, record)
      if (record.status !== 'running' && before?.status !== record.status) {
        flush()
        terminal.out(callLine(record))
      }
    } else if (chunk.type === 'error') {
      failed = true
      terminal.error(plainText(chunk.errorText))
    }
  }
  flush()
  return { waiting: [...calls.values()].filter(({ status }) => status === 'awaiting_approval'), failed, messageId }
}
