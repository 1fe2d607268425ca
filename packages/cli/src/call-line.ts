import { plainText, type ToolCallRecord } from 'handrail'

const marks: Record<ToolCallRecord['status'], string> = {
  running: '…',
  awaiting_approval: '?',
  done: '✓',
  failed: '✗',
  refused: '✗',
  declined: '–',
  expired: '–',
  cancelled: '–',
  unknown: '!',
}

/** A call as one line: what became of it, in words, and how long it took. */
export function callLine(record: ToolCallRecord): string {
  const more = [
    record.cached ? 'cached' : '',
    record.truncated ? 'shortened' : '',
    record.durationMs === undefined ? '' : `${Math.round(record.durationMs)} ms`,
  ].filter((text) => text !== '')
  return `${marks[record.status]} ${plainText(record.description)}  (${[record.toolName, ...more].join(', ')})`
}
