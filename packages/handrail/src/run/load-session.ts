import type { Approval } from '../approval/approval.ts'
import { StoreError } from '../errors/store-error.ts'
import type { Gate } from '../gate/gate.ts'
import type { GovernedPack, OperatorReport } from '../gate/gate-context.ts'
import type { StoredCall } from '../ledger/call-record.ts'
import { asAgent } from '../principal/principal.ts'
import type { Lease, Run } from '../store/run-store.ts'
import type { RunChannel } from './run-channel.ts'
import { RunSession } from './run-session.ts'
import type { ThreadRecord } from './thread-view.ts'

/** Loads a run for its holder, as the rows have it. Undefined where this process does not know its pack. */
export async function loadSession(
  gate: Gate<never>,
  run: Run,
  lease: Lease,
  channel: RunChannel,
  report: OperatorReport,
): Promise<RunSession | undefined> {
  const governed = gate.packs.get(run.pack)
  const thread = await gate.store.runs.getThread(run.tenantId, run.threadId)
  if (governed === undefined || thread === undefined) return undefined
  const principal = asAgent(run.principal)
  const [record, packSection] = await Promise.all([
    loadThread(gate, run.tenantId, run.threadId),
    packSectionOf(gate, governed, run, report),
  ])
  const tools = gate.toolsFor(principal, run.pack).map(({ tool }) => tool)
  return new RunSession({
    run,
    thread,
    lease,
    governed,
    channel,
    packSection,
    tools,
    calls: new Map(record.calls),
    approvals: new Map(record.approvals),
    messages: record.messages,
    steps: record.steps,
  })
}

/**
 * What the pack says of this workspace and scope, read as the person may read it. A pack that cannot say it, because
 * the thing is gone for example, keeps no run from answering.
 */
async function packSectionOf(
  gate: Gate<never>,
  { pack }: GovernedPack,
  { principal, scope, tenantId, runId }: Run,
  report: OperatorReport,
): Promise<string> {
  try {
    return await gate.store.calls.read(tenantId, async ({ db }) =>
      pack.instructions({ services: pack.services.readers({ db, principal, scope }), principal, scope }),
    )
  } catch (error) {
    if (error instanceof StoreError) throw error
    report({ code: 'INSTRUCTIONS_THREW', message: `the instructions of \`${pack.name}\` threw in run ${runId}`, error })
    return ''
  }
}

/** Messages, steps, every call of the steps, and what was asked about them. */
export async function loadThread(
  gate: Gate<never>,
  tenantId: string,
  threadId: string,
): Promise<Omit<ThreadRecord, 'runs'>> {
  const { runs, calls, approvals } = gate.store
  const [messages, steps] = await Promise.all([runs.messages(tenantId, threadId), runs.steps(tenantId, threadId)])
  const found = new Map<string, StoredCall>()
  if (steps.some((step) => step.calls.length > 0)) {
    let cursor: string | undefined
    do {
      const page = await calls.list(tenantId, { threadId, limit: 200, ...(cursor ? { cursor } : {}) })
      for (const call of page.items) found.set(call.callId, call)
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }
  const asked = new Map<string, Approval>()
  if ([...found.values()].some(({ approvalId }) => approvalId !== undefined)) {
    let cursor: string | undefined
    do {
      const page = await approvals.list(tenantId, { threadId, limit: 200, ...(cursor ? { cursor } : {}) })
      for (const approval of page.items) asked.set(approval.approvalId, approval)
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }
  return { messages, steps, calls: found, approvals: asked }
}
