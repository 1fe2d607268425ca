import type { RunChunk, RunMessage } from 'handrail'

type Part = RunMessage['parts'][number]
interface ToolPart {
  type: `tool-${string}`
  toolCallId: string
  state: string
  input?: unknown
  output?: unknown
  approval?: { id: string }
}

/** A message's parts, step by step: each with what was said and called in it. */
export function stepsOf({ parts }: Pick<RunMessage, 'parts'>): Part[][] {
  const steps: Part[][] = []
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([])
    else steps.at(-1)?.push(part)
  }
  return steps
}

/** The chunks that would have brought a step of the record to a client. */
export function chunksOfStep(parts: readonly Part[], idPrefix: string): RunChunk[] {
  return parts.flatMap((part, index): RunChunk[] => {
    const id = `${idPrefix}-${index}`
    if (part.type === 'text' || part.type === 'reasoning') {
      const { type, text } = part
      return [
        { type: `${type}-start`, id },
        { type: `${type}-delta`, id, delta: text },
        { type: `${type}-end`, id },
      ]
    }
    if (isToolPart(part)) {
      const { toolCallId, type, input } = part
      const called: RunChunk = { type: 'tool-input-available', toolCallId, toolName: type.slice('tool-'.length), input }
      return [called, ...outcomeChunks(part)]
    }
    return isDataPart(part) ? [part] : []
  })
}

/** What became of calls that a client has without an outcome. */
export function outcomesOf(parts: readonly Part[], open: ReadonlySet<string>): RunChunk[] {
  return parts.flatMap((part): RunChunk[] => {
    if (isToolPart(part)) return open.has(part.toolCallId) ? outcomeChunks(part) : []
    return part.type === 'data-call' && open.has(part.id ?? '') ? [part] : []
  })
}

function outcomeChunks({ toolCallId, state, output, approval }: ToolPart): RunChunk[] {
  const answered = (approved: boolean): RunChunk[] =>
    approval ? [{ type: 'tool-approval-response', approvalId: approval.id, approved }] : []
  switch (state) {
    case 'approval-requested':
      return approval ? [{ type: 'tool-approval-request', approvalId: approval.id, toolCallId }] : []
    case 'output-denied':
      return [...answered(false), { type: 'tool-output-denied', toolCallId }]
    case 'output-available':
      return [...answered(true), { type: 'tool-output-available', toolCallId, output }]
    default:
      return []
  }
}

function isToolPart(part: Part): part is Part & ToolPart {
  return part.type.startsWith('tool-') && 'toolCallId' in part
}

function isDataPart(part: Part): part is Part & RunChunk {
  return part.type.startsWith('data-')
}
