import type { IncomingMessage } from 'node:http'
import type { Fault } from './faults.ts'

/** Who asks: two workspaces, a few people in each, all of them owners. */
export interface Person {
  tenantId: string
  userId: string
}

/** What a member can be asked for, over loopback HTTP. */
export interface Requests {
  '/call': { person: Person; name: string; input: unknown; key: string }
  '/thread': { person: Person; threadId: string }
  '/send': { person: Person; threadId: string; messageId: string; text: string }
  '/cancel': { person: Person; runId: string }
  '/decide': { person: Person; approvalId: string; decision: 'approve' | 'decline'; input?: unknown }
  '/settle': { person: Person; callId: string; outcome: 'happened' | 'did_not_happen' }
  '/look': { tenantId: string; callId: string }
  '/pending': { tenantId: string }
  '/unknown': { tenantId: string }
  '/state': Record<string, never>
  '/arm': { fault?: Fault }
  '/sql': { text: string; values?: unknown[] }
}
export type Path = keyof Requests

/** A call as a client was told of it. */
export interface CallAnswer {
  callId: string
  status: string
  code?: string
  approvalId?: string
}

export interface PendingAnswer {
  approvalId: string
  callId: string
  userId: string
}

export interface Answers {
  '/call': CallAnswer
  '/thread': { threadId: string }
  '/send': { kind: string; runId?: string }
  '/cancel': { status?: string }
  '/decide': {
    kind: 'decided' | 'conflict' | 'refused'
    code?: string
    /** What stands, as this reader was shown it. */
    standing?: { status: string; decision?: string; by?: string; editedDigest?: string }
    call?: CallAnswer
  }
  '/settle': { kind: 'settled' | 'refused'; code?: string; call?: CallAnswer }
  '/look': CallAnswer | undefined
  '/pending': PendingAnswer[]
  '/unknown': (CallAnswer & { userId: string })[]
  '/state': { running: number; waiting: number; liveRuns: number; queued: number }
  '/arm': object
  '/sql': { rowCount: number; rows: Record<string, unknown>[] }
}

export async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text || '{}')
}
