import type { StoredCall } from '../ledger/call-record.ts'
import { forModel } from '../present/for-model.ts'
import type { Tool } from '../tool/tool.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import type { CallOutcome } from './call-request.ts'
import type { GovernedPack } from './gate-context.ts'
import { toRecord } from './to-record.ts'

/** What a door gets for a stored call: its record, its result, and what enters the model. */
export function outcomeOf(governed: GovernedPack, tool: Tool | undefined, call: StoredCall): CallOutcome {
  const result = call.payload?.result ?? resultWithout(governed, call)
  const record = toRecord(call)
  record.result = result
  return { record, result, forModel: forModel(result, { untrusted: tool?.untrusted ?? true }) }
}

/** For a call whose result is not there: it still runs or waits, or its payload was erased. */
function resultWithout({ say }: GovernedPack, call: StoredCall): ToolResult {
  const tool = call.toolName
  switch (call.status) {
    case 'running':
      return {
        success: false,
        code: 'CONFLICT',
        error: say.inProgress({ tool, callId: call.callId }),
        next: say.inProgressNext({ callId: call.callId }),
      }
    case 'awaiting_approval':
      return {
        success: false,
        requiresConfirmation: true,
        approvalId: call.approvalId ?? '',
        message: say.askedByCard({ tool }),
      }
    case 'unknown':
      return {
        success: false,
        code: 'UNKNOWN_OUTCOME',
        error: say.unknownOutcome({ tool }),
        next: say.unknownOutcomeNext(),
      }
    case 'done':
      return { success: true, data: null, message: call.description }
    default:
      return { success: false, code: call.code ?? 'INTERNAL', error: call.description }
  }
}
