import { randomUUID } from 'node:crypto'
import type { Approval, Decision } from '../../approval/approval.ts'
import type { CallPayload, StoredCall } from '../../ledger/call-record.ts'
import { callDigest } from '../../ledger/digest.ts'
import type { LedgerEntry } from '../../ledger/ledger-entry.ts'
import { newId } from '../../principal/new-id.ts'
import type { Principal } from '../../principal/principal.ts'
import type { Lease, Run, RunStep, StartRunOutcome, ThreadMessage } from '../../store/run-store.ts'
import type { AttemptFence, CallEnding, ClaimRequest, LeaseFence, Quota, Store } from '../../store/store.ts'

/** A workspace that no other test uses, so that one store serves a whole suite. */
export function freshTenant(): string {
  return `tenant-${randomUUID()}`
}

export function sampleUser(tenantId: string, userId = 'alice', actor: Principal['actor'] = 'person'): Principal {
  return { tenantId, userId, roles: ['member'], actor, via: { door: 'http', credentialId: 'session' } }
}

export function samplePayload(
  call: Pick<StoredCall, 'pack' | 'toolName' | 'toolVersion' | 'scope'>,
  input: unknown,
): CallPayload {
  return {
    input,
    digest: callDigest({ ...call, input }),
    salt: randomUUID(),
    apiCall: { service: 'pages.rename', payload: input, kind: 'update' },
  }
}

export function sampleCall(
  tenantId: string,
  changes: Partial<StoredCall> = {},
  input: unknown = { title: 'Home' },
): StoredCall {
  const base = { pack: 'cms', toolName: 'rename_page', toolVersion: 1, scope: { siteId: 'site-1' }, ...changes }
  return {
    callId: newId(),
    tenantId,
    kind: 'update',
    effect: 'transaction',
    risk: 'medium',
    idempotent: false,
    door: 'http',
    principal: sampleUser(tenantId),
    threadId: undefined,
    runId: undefined,
    step: undefined,
    status: 'running',
    description: 'Renaming the page',
    code: undefined,
    idempotencyKey: undefined,
    approvalId: undefined,
    attempt: 1,
    attemptUntil: undefined,
    createdAt: new Date(),
    executedAt: undefined,
    endedAt: undefined,
    durationMs: undefined,
    cached: false,
    truncated: false,
    payload: samplePayload(base, input),
    ...base,
  }
}

export function sampleEnding(call: StoredCall, changes: Partial<CallEnding> = {}): CallEnding {
  const result = { success: true, data: { pageId: 'page-1' }, message: 'Renamed the page' } as const
  return {
    status: 'done',
    code: undefined,
    description: 'Renamed the page',
    payload: { ...(call.payload ?? samplePayload(call, {})), result },
    durationMs: 12.5,
    truncated: false,
    ...changes,
  }
}

export const unknownOutcome = {
  status: 'unknown',
  code: 'UNKNOWN_OUTCOME',
  description: 'It is not known whether the page was renamed',
} as const

export function sampleApproval(call: StoredCall, changes: Partial<Approval> = {}): Approval {
  return {
    approvalId: newId(),
    tenantId: call.tenantId,
    callId: call.callId,
    runId: call.runId,
    threadId: call.threadId,
    pack: call.pack,
    toolName: call.toolName,
    toolVersion: call.toolVersion,
    digest: call.payload?.digest ?? '',
    scope: call.scope,
    requestedBy: call.principal,
    approvers: { rule: 'requester' },
    form: 'card',
    reason: 'It changes what visitors see',
    description: 'Rename the page',
    preview: { from: 'Start', to: 'Home' },
    basis: undefined,
    status: 'pending',
    createdAt: new Date(),
    decideBy: new Date(Date.now() + 3_600_000),
    executeBy: undefined,
    decision: undefined,
    ...changes,
  }
}

export function sampleDecision(
  tenantId: string,
  decision: Decision['decision'],
  userId = 'alice',
): Omit<Decision, 'at'> {
  return { decision, by: sampleUser(tenantId, userId), reason: undefined, editedDigest: undefined }
}

/** A claim of a new call; an attempt of negative length has already run out. */
export function newClaim(call: StoredCall, changes: Partial<ClaimRequest> = {}): ClaimRequest {
  return { call, from: 'new', quotas: [], attemptMs: 60_000, ...changes }
}

/** Claims a new call that must succeed, and gives it as stored. */
export async function claimed(
  store: Store,
  call: StoredCall,
  changes: Partial<ClaimRequest> = {},
): Promise<StoredCall> {
  const outcome = await store.calls.claim(newClaim(call, changes))
  if (outcome.kind !== 'claimed') throw new Error(`the call was not claimed: ${outcome.kind}`)
  return outcome.call
}

/** Asks for a call that must be accepted, and gives both rows. */
export async function asked(
  store: Store,
  call: StoredCall,
  changes: Partial<Approval> = {},
): Promise<{ call: StoredCall; approval: Approval }> {
  const approval = sampleApproval(call, changes)
  const outcome = await store.calls.ask(call, approval, [])
  if (outcome.kind !== 'asked') throw new Error(`the call was not accepted: ${outcome.kind}`)
  return { call, approval }
}

/** Asks for a call and approves it; with a negative time to execute it, the approval has run out. */
export async function approved(
  store: Store,
  tenantId: string,
  executeWithinMs = 60_000,
): Promise<{ call: StoredCall; approval: Approval }> {
  const both = await asked(store, sampleCall(tenantId))
  await store.approvals.decide(tenantId, both.approval.approvalId, sampleDecision(tenantId, 'approve'), executeWithinMs)
  return both
}

/** The claim that uses an approval up. */
export function approvedClaim(call: StoredCall, approval: Approval, changes: Partial<ClaimRequest> = {}): ClaimRequest {
  const { approvalId, digest } = approval
  return newClaim(call, { from: 'approved', approval: { approvalId, digest }, ...changes })
}

export function fenceOf(call: StoredCall, changes: Partial<AttemptFence> = {}): AttemptFence {
  return { tenantId: call.tenantId, callId: call.callId, attempt: call.attempt, ...changes }
}

/** Everything on record about a call, sealed or not, in order. */
export async function entriesOf(store: Store, tenantId: string, callId: string): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = []
  for await (const { entries: sealed } of store.ledger.sealed(tenantId)) entries.push(...sealed)
  entries.push(...(await store.ledger.unsealed(tenantId)))
  return entries.filter((entry) => entry.callId === callId)
}

export async function eventsOf(store: Store, tenantId: string, callId: string): Promise<string[]> {
  return (await entriesOf(store, tenantId, callId)).map(({ event, status }) => `${event} ${status}`)
}

export function sampleMessage(text = 'Rename the page'): Pick<ThreadMessage, 'messageId' | 'parts'> {
  return { messageId: randomUUID(), parts: [{ type: 'text', text }] }
}

/** A thread with a run on it. */
export async function startedRun(store: Store, tenantId: string, threadId: string = randomUUID()): Promise<Run> {
  const principal = sampleUser(tenantId)
  const scope = { siteId: 'site-1' }
  if ((await store.runs.getThread(tenantId, threadId)) === undefined) {
    await store.runs.createThread({ threadId, tenantId, userId: principal.userId, pack: 'cms', scope, title: 'Pages' })
  }
  const request = { runId: newId(), tenantId, threadId, principal, pack: 'cms', scope, mode: 'inline' } as const
  const outcome = await store.runs.start(request, sampleMessage())
  if (outcome.kind !== 'started') throw new Error('the thread has a live run')
  return outcome.run
}

/** Another message on a thread that stands: starts a run, or is queued for the live one. */
export function startAgain(
  store: Store,
  tenantId: string,
  threadId: string,
  message = sampleMessage(),
  quotas: readonly Quota[] = [],
): Promise<StartRunOutcome> {
  const principal = sampleUser(tenantId)
  const request = {
    runId: randomUUID(),
    tenantId,
    threadId,
    principal,
    pack: 'cms',
    scope: {},
    mode: 'inline',
  } as const
  return store.runs.start(request, message, quotas)
}

export function sampleStep(runId: string, step: number): Omit<RunStep, 'position' | 'createdAt'> {
  const calls = [{ callId: randomUUID(), toolCallId: 'call_1', toolName: 'rename_page', input: { title: 'Home' } }]
  const messages = [{ role: 'assistant' as const, content: 'I rename it.' }]
  const usage = { inputTokens: 100, outputTokens: 20 }
  return { runId, step, messages, calls, model: 'scripted', finishReason: 'tool-calls', usage, durationMs: 3 }
}

export function runEnding<Status extends 'done' | 'failed' | 'cancelled'>(status: Status) {
  return { status, finishReason: 'stop', activeMs: 300 }
}

export async function isDue(store: Store, runId: string): Promise<boolean> {
  return (await store.runs.due(10_000)).some((run) => run.runId === runId)
}

/** Takes a lease that must be free. */
export async function leased(store: Store, run: Run, leaseMs = 60_000, owner = 'worker-1'): Promise<Lease> {
  const lease = await store.runs.acquire(run.tenantId, run.runId, owner, leaseMs)
  if (lease === undefined) throw new Error('the lease is held')
  return lease
}

/** A lease that somebody else has taken over since. */
export async function lostLease(
  store: Store,
  tenantId: string,
): Promise<{ run: Run; lost: LeaseFence; held: LeaseFence }> {
  const run = await startedRun(store, tenantId)
  const lost = await leased(store, run, -1_000)
  const held = await leased(store, run, 60_000, 'worker-2')
  return { run, lost, held }
}

/** The same thing many times at once. */
export function inParallel<T>(times: number, action: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => action(index)))
}

export function countOf<T>(values: readonly T[], matches: (value: T) => boolean): number {
  return values.filter(matches).length
}
