import type { StoredCall, ToolCallRecord } from '../ledger/call-record.ts'

/** A stored call as doors show it: without key, digest and raw input. */
export function toRecord(call: StoredCall, approvalStatus?: string): ToolCallRecord {
  const record: ToolCallRecord = {
    callId: call.callId,
    pack: call.pack,
    toolName: call.toolName,
    kind: call.kind,
    risk: call.risk,
    status: call.status,
    description: call.description,
    apiCall: call.payload?.apiCall ?? {
      service: `${call.pack}.${call.toolName}`,
      payload: '[erased]',
      kind: call.kind,
    },
    principal: call.principal,
    scope: call.scope,
    door: call.door,
  }
  if (call.payload?.result) record.result = call.payload.result
  if (call.executedAt) record.executedAt = call.executedAt.toISOString()
  if (call.durationMs !== undefined) record.durationMs = call.durationMs
  if (call.cached) record.cached = true
  if (call.truncated) record.truncated = true
  if (call.approvalId)
    record.approval = { approvalId: call.approvalId, status: approvalStatus ?? defaultApprovalStatus(call) }
  if (call.runId) record.runId = call.runId
  if (call.step !== undefined) record.step = call.step
  return record
}

function defaultApprovalStatus(call: StoredCall): string {
  if (call.status === 'awaiting_approval') return 'pending'
  if (call.status === 'declined' || call.status === 'expired') return call.status
  return 'used'
}
