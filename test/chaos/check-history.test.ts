import { type Approval, entryOf, type LedgerEvent, type StoredCall } from 'handrail'
import { describe, expect, it } from 'vitest'
import { checkHistory } from './check-history.ts'
import type { HistoryLine } from './history.ts'
import type { Observed } from './observed.ts'

const principal = {
  tenantId: 'acme',
  userId: 'alice',
  roles: ['owner'],
  actor: 'person' as const,
  via: { door: 'http', credentialId: 'alice' },
}

function callOf(callId: string, toolName: string, changes: Partial<StoredCall> = {}): StoredCall {
  const isOutside = toolName.startsWith('post')
  return {
    callId,
    tenantId: 'acme',
    pack: 'chaos',
    toolName,
    toolVersion: 1,
    kind: 'create',
    effect: isOutside ? 'external' : 'transaction',
    risk: 'low',
    idempotent: toolName === 'post_keyed',
    door: 'http',
    principal,
    scope: {},
    threadId: undefined,
    runId: undefined,
    step: undefined,
    status: 'done',
    description: 'Done',
    code: undefined,
    idempotencyKey: `key-${callId}`,
    approvalId: undefined,
    attempt: 1,
    attemptUntil: undefined,
    createdAt: new Date(0),
    executedAt: new Date(0),
    endedAt: new Date(1),
    durationMs: 1,
    cached: false,
    truncated: false,
    payload: {
      input: { note: callId },
      digest: 'd',
      salt: 's',
      apiCall: { service: 'chaos', payload: null, kind: 'create' },
    },
    ...changes,
  }
}

function ledgerOf(call: StoredCall, ...events: LedgerEvent[]) {
  return events.map((event) => entryOf(event, call, new Date(1)))
}

function told(call: StoredCall, status: string, note = call.callId): HistoryLine {
  const key = call.idempotencyKey ?? ''
  return {
    at: 1,
    client: 'client-1',
    member: 'server-1',
    path: '/call',
    request: { person: { tenantId: 'acme', userId: 'alice' }, name: call.toolName, input: { note }, key },
    answer: { callId: call.callId, status },
  }
}

const added = callOf('added', 'add_entry')
const posted = callOf('posted', 'post_once')
const cleared = callOf('cleared', 'clear_entry', { approvalId: 'approval' })
const approval: Approval = {
  approvalId: 'approval',
  tenantId: 'acme',
  callId: 'cleared',
  runId: undefined,
  threadId: undefined,
  pack: 'chaos',
  toolName: 'clear_entry',
  toolVersion: 1,
  digest: 'd',
  scope: {},
  requestedBy: principal,
  approvers: { rule: 'requester' },
  form: 'card',
  reason: 'it deletes',
  description: 'Clear an entry',
  preview: undefined,
  basis: undefined,
  status: 'used',
  createdAt: new Date(0),
  decideBy: new Date(2),
  executeBy: new Date(2),
  decision: { decision: 'approve', by: principal, at: new Date(0), reason: undefined, editedDigest: undefined },
}
const row = (callId: string, note = callId) => ({ tenantId: 'acme', callId, note })
const start = { key: 'key-posted', callId: 'posted', tool: 'post_once', note: 'posted', isRepeat: false }

const sound: Observed = {
  history: [told(added, 'done'), told(posted, 'done')],
  calls: [added, posted, cleared],
  approvals: [approval],
  runs: [],
  steps: [],
  messages: [],
  queuedMessages: 0,
  entries: [row('added'), row('cleared')],
  starts: [start],
  ledger: [
    ...ledgerOf(added, 'started', 'ended'),
    ...ledgerOf(posted, 'started', 'ended'),
    ...ledgerOf(cleared, 'asked', 'decided', 'started', 'ended'),
  ],
  reports: [{ sealed: 8, unsealed: 0, problems: [], head: undefined }],
  isSettled: true,
  accidents: [],
}

/** The claims that something violates, by a word of theirs. */
function violated(changes: Partial<Observed>): string[] {
  return checkHistory({ ...sound, ...changes }).flatMap(({ claim, violations }) =>
    violations.length > 0 ? [claim] : [],
  )
}

const declinedCall = callOf('cleared', 'clear_entry', { approvalId: 'approval', status: 'declined', attempt: 0 })
const others = sound.ledger.filter(({ callId }) => callId !== 'added')
const running = {
  tenantId: 'acme',
  runId: 'run',
  threadId: 'thread',
  principal,
  pack: 'chaos',
  scope: {},
  mode: 'inline',
  status: 'waiting',
  step: 1,
  activeMs: 0,
  usage: { inputTokens: 0, outputTokens: 0 },
  cancelRequested: false,
  finishReason: undefined,
  error: undefined,
  leaseOwner: undefined,
  leaseToken: undefined,
  leaseUntil: undefined,
  wakeAt: undefined,
  createdAt: new Date(0),
  endedAt: undefined,
} as const

describe('the check of a history', () => {
  it('finds nothing in a sound one', () => {
    expect(violated({})).toEqual([])
  })

  it.each<[string, string, Partial<Observed>]>([
    ['a lost row', 'exactly one row', { entries: [row('cleared')] }],
    ['a doubled row', 'exactly one row', { entries: [...sound.entries, row('added')] }],
    ['a row of a call that failed', 'exactly one row', { calls: [callOf('added', 'add_entry', { status: 'failed' })] }],
    ['a row of no call', 'exactly one row', { entries: [...sound.entries, row('nobody')] }],
    ['two calls of one key', 'one key is one call', { calls: [...sound.calls, { ...added, callId: 'again' }] }],
    ['a second start outside', 'at most once per key', { starts: [start, start] }],
    [
      'a start of a call that failed',
      'at most once per key',
      { calls: [callOf('posted', 'post_once', { status: 'failed' })] },
    ],
    ['an answer that did not stay true', 'stays true', { history: [told(added, 'failed')] }],
    ['a call that is gone', 'stays true', { history: [told(callOf('gone', 'add_entry'), 'done')] }],
    ['other arguments that were answered', 'is a conflict', { history: [told(added, 'done', 'other')] }],
    [
      'a declined call with a row',
      'runs nothing',
      { calls: [added, posted, declinedCall], approvals: [{ ...approval, status: 'declined' }] },
    ],
    [
      'a row that was tampered with',
      'behind an approval',
      { entries: [...sound.entries, row('cleared', 'cleared tampered')] },
    ],
    [
      'an effect before its approval',
      'before its start',
      { ledger: [...others, ...ledgerOf(added, 'asked', 'started', 'ended')] },
    ],
    ['an effect without a start', 'before its start', { ledger: others }],
    ['two endings', 'one ending', { ledger: [...sound.ledger, ...ledgerOf(added, 'ended')] }],
    ['a start that is not on record', 'one ending', { calls: [{ ...added, attempt: 2 }, posted, cleared] }],
    ['a run that waits', 'every run ends', { runs: [running] }],
    [
      'a call that still runs',
      'left running',
      { calls: [...sound.calls, callOf('open', 'post_once', { status: 'running' })] },
    ],
    ['a client without an outcome', 'left running', { isSettled: false }],
    ['a message that was left', 'every message', { queuedMessages: 1 }],
    ['a process that crashed', 'no process', { accidents: ['server-1 ended with 1'] }],
    [
      'an edited ledger',
      'the ledger verifies',
      {
        reports: [
          {
            sealed: 0,
            unsealed: 0,
            head: undefined,
            problems: [{ kind: 'edited', seq: 1, callId: undefined, message: '' }],
          },
        ],
      },
    ],
  ])('finds %s', (_, words, changes) => {
    expect(violated(changes).filter((claim) => claim.includes(words))).toHaveLength(1)
  })
})
