import type { Approval } from 'handrail'
import { type Columns, json, moment, present } from './columns.ts'

/** Columns of an approval as it is asked for. */
export const approvalColumns = {
  tenant_id: 'text',
  approval_id: 'text',
  call_id: 'text',
  run_id: 'text',
  thread_id: 'text',
  pack: 'text',
  tool_name: 'text',
  tool_version: 'int',
  digest: 'text',
  scope: 'json',
  requested_by: 'json',
  approvers: 'json',
  form: 'text',
  reason: 'text',
  description: 'text',
  preview: 'json',
  basis: 'text',
  decide_by: 'timestamptz',
} as const satisfies Columns

export function approvalValues(approval: Approval): unknown[] {
  return [
    approval.tenantId,
    approval.approvalId,
    approval.callId,
    approval.runId,
    approval.threadId,
    approval.pack,
    approval.toolName,
    approval.toolVersion,
    approval.digest,
    json(approval.scope),
    json(approval.requestedBy),
    json(approval.approvers),
    approval.form,
    approval.reason,
    approval.description,
    json(approval.preview),
    approval.basis,
    approval.decideBy.toISOString(),
  ]
}

/** An approval as it is read. JSON columns hold what this package wrote. */
export interface ApprovalRow {
  tenant_id: string
  approval_id: string
  call_id: string
  run_id: string | null
  thread_id: string | null
  pack: string
  tool_name: string
  tool_version: number
  digest: string
  scope: Approval['scope']
  requested_by: Approval['requestedBy']
  approvers: Approval['approvers']
  form: Approval['form']
  reason: string
  description: string
  preview: unknown
  basis: string | null
  status: Approval['status']
  created_at: string
  decide_by: string
  execute_by: string | null
  decision: (Omit<NonNullable<Approval['decision']>, 'at'> & { at: string }) | null
}

export function toApproval(row: ApprovalRow): Approval {
  const { decision } = row
  return {
    approvalId: row.approval_id,
    tenantId: row.tenant_id,
    callId: row.call_id,
    runId: present(row.run_id),
    threadId: present(row.thread_id),
    pack: row.pack,
    toolName: row.tool_name,
    toolVersion: row.tool_version,
    digest: row.digest,
    scope: row.scope,
    requestedBy: row.requested_by,
    approvers: row.approvers,
    form: row.form,
    reason: row.reason,
    description: row.description,
    preview: present(row.preview),
    basis: present(row.basis),
    status: row.status,
    createdAt: moment(row.created_at),
    decideBy: moment(row.decide_by),
    executeBy: moment(row.execute_by),
    decision: decision
      ? { ...decision, at: new Date(decision.at), reason: decision.reason, editedDigest: decision.editedDigest }
      : undefined,
  }
}
