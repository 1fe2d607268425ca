import type { Run, RunStep, Thread, ThreadMessage } from 'handrail'
import { moment, present } from './columns.ts'

// Rows as they are read. JSON columns hold what this package wrote.

export interface ThreadRow {
  seq: number
  tenant_id: string
  thread_id: string
  user_id: string
  pack: string
  scope: Thread['scope']
  title: string
  untrusted: boolean
  created_at: string
  updated_at: string
}

export function toThread(row: ThreadRow): Thread {
  return {
    threadId: row.thread_id,
    tenantId: row.tenant_id,
    userId: row.user_id,
    pack: row.pack,
    scope: row.scope,
    title: row.title,
    untrusted: row.untrusted,
    createdAt: moment(row.created_at),
    updatedAt: moment(row.updated_at),
  }
}

export interface MessageRow {
  thread_id: string
  message_id: string
  position: number
  role: ThreadMessage['role']
  parts: unknown[]
  run_id: string | null
  created_at: string
}

export function toMessage(row: MessageRow): ThreadMessage {
  return {
    messageId: row.message_id,
    threadId: row.thread_id,
    position: row.position,
    role: row.role,
    parts: row.parts,
    runId: present(row.run_id),
    createdAt: moment(row.created_at),
  }
}

export interface RunRow {
  tenant_id: string
  run_id: string
  thread_id: string
  principal: Run['principal']
  pack: string
  scope: Run['scope']
  mode: Run['mode']
  status: Run['status']
  step: number
  active_ms: number
  input_tokens: number
  output_tokens: number
  cancel_requested: boolean
  finish_reason: string | null
  error: string | null
  lease_owner: string | null
  lease_token: string | null
  lease_until: string | null
  wake_at: string | null
  created_at: string
  ended_at: string | null
}

export function toRun(row: RunRow): Run {
  return {
    runId: row.run_id,
    tenantId: row.tenant_id,
    threadId: row.thread_id,
    principal: row.principal,
    pack: row.pack,
    scope: row.scope,
    mode: row.mode,
    status: row.status,
    step: row.step,
    activeMs: row.active_ms,
    usage: { inputTokens: row.input_tokens, outputTokens: row.output_tokens },
    cancelRequested: row.cancel_requested,
    finishReason: present(row.finish_reason),
    error: present(row.error),
    leaseOwner: present(row.lease_owner),
    leaseToken: present(row.lease_token),
    leaseUntil: moment(row.lease_until),
    wakeAt: moment(row.wake_at),
    createdAt: moment(row.created_at),
    endedAt: moment(row.ended_at),
  }
}

export interface StepRow {
  run_id: string
  step: number
  position: number
  messages: RunStep['messages']
  calls: RunStep['calls']
  model: string
  finish_reason: string
  input_tokens: number
  output_tokens: number
  duration_ms: number
  created_at: string
}

export function toStep(row: StepRow): RunStep {
  return {
    runId: row.run_id,
    step: row.step,
    position: row.position,
    messages: row.messages,
    calls: row.calls,
    model: row.model,
    finishReason: row.finish_reason,
    usage: { inputTokens: row.input_tokens, outputTokens: row.output_tokens },
    durationMs: row.duration_ms,
    createdAt: moment(row.created_at),
  }
}
