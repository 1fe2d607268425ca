import { StoreError } from '../errors/store-error.ts'
import { executeTool } from '../execute/execute-tool.ts'
import type { Deadlined } from '../execute/with-deadline.ts'
import type { CallPayload, StoredCall } from '../ledger/call-record.ts'
import type { AttemptFence, CallEnding, HandedTransaction, LeaseFence, TransactOutcome } from '../store/store.ts'
import type { Tool } from '../tool/tool.ts'
import type { CallEvent } from './call-request.ts'
import { type EndingFacts, endingOf } from './ending-of.ts'
import type { GateContext, GovernedPack } from './gate-context.ts'

/** A call that has been claimed: from here on it has an end, whatever happens. */
export interface ClaimedCall {
  governed: GovernedPack
  tool: Tool
  call: StoredCall
  payload: CallPayload
  lease: LeaseFence | undefined
  signal: AbortSignal | undefined
  onEvent: ((event: CallEvent) => void) | undefined
}

/** Thrown inside a handed transaction to undo it; carries the ending to record instead. */
class RolledBack extends Error {
  readonly ending: CallEnding
  constructor(ending: CallEnding) {
    super('rolled back')
    this.ending = ending
  }
}

/**
 * Executes a claimed call by the nature of its effect, and records how it ended.
 *
 * @returns the stored call as it stands afterwards; undefined when another holder's ending stands and cannot be read
 * @throws what the store throws: then nothing is known to be recorded, and the attempt is settled by recovery
 */
export function carryOut(context: GateContext, claimed: ClaimedCall): Promise<StoredCall | undefined> {
  const work = start(context, claimed)
  const { callId } = claimed.call
  context.inFlight.set(callId, work)
  const forget = () => {
    if (context.inFlight.get(callId) === work) context.inFlight.delete(callId)
  }
  work.then(forget, forget)
  return work
}

async function start(context: GateContext, claimed: ClaimedCall): Promise<StoredCall | undefined> {
  const { call, tool } = claimed
  claimed.onEvent?.({ type: 'call-start', callId: call.callId, description: call.description })
  const fence: AttemptFence = { tenantId: call.tenantId, callId: call.callId, attempt: call.attempt }
  if (claimed.lease) fence.lease = claimed.lease
  const carry = tool.effect === 'transaction' ? inTransaction : tool.kind === 'read' && !tool.egress ? reading : outside
  const outcome = await carry(context, claimed, fence).catch((error: unknown) =>
    endBroken(context, claimed, fence, error),
  )
  return outcome.kind === 'committed' ? afterEnding(call, outcome.ending) : outcome.call
}

/**
 * Something broke around the tool: the pack's services, a commit that was refused. It would break again, so it is not
 * left to recovery. The fence holds: where the effect was committed after all, its ending stands.
 *
 * @throws StoreError as it came: then recovery finds the attempt, when the store is back
 */
function endBroken(
  context: GateContext,
  { governed, tool, payload }: ClaimedCall,
  fence: AttemptFence,
  error: unknown,
): Promise<TransactOutcome> {
  if (error instanceof StoreError) throw error
  const facts: EndingFacts = { governed, tool, payload, serviceCall: undefined, startedAt: performance.now() }
  return context.store.calls.finish(fence, endingOf(context, facts, { kind: 'threw', error }))
}

async function inTransaction(
  context: GateContext,
  claimed: ClaimedCall,
  fence: AttemptFence,
): Promise<TransactOutcome> {
  const { governed, call } = claimed
  try {
    return await context.store.calls.transact(fence, async (transaction) => {
      const services = governed.pack.services.writers({
        db: transaction.db,
        principal: call.principal,
        scope: call.scope,
      })
      const ending = await run(context, claimed, services, transaction)
      if (ending.status !== 'done') throw new RolledBack(ending)
      return ending
    })
  } catch (error) {
    if (error instanceof RolledBack) return await context.store.calls.finish(fence, error.ending)
    throw error
  }
}

async function reading(context: GateContext, claimed: ClaimedCall, fence: AttemptFence): Promise<TransactOutcome> {
  const { governed, call } = claimed
  const ending = await context.store.calls.read(call.tenantId, (transaction) => {
    const services = governed.pack.services.readers({
      db: transaction.db,
      principal: call.principal,
      scope: call.scope,
    })
    return run(context, claimed, services, transaction)
  })
  return context.store.calls.finish(fence, ending)
}

/** No transaction is held over the network: readers query on their own, and the outcome is recorded afterwards. */
async function outside(context: GateContext, claimed: ClaimedCall, fence: AttemptFence): Promise<TransactOutcome> {
  const { governed, call, tool } = claimed
  const { db } = context.store.calls.readersDb(call.tenantId)
  const { principal, scope } = call
  const readers = governed.pack.services.readers({ db, principal, scope })
  const services = {
    ...(typeof readers === 'object' ? readers : {}),
    outside: governed.pack.services.outside?.({ principal, scope }),
  }
  const record = (ending: CallEnding) => context.store.calls.finish(fence, ending, saveOf(claimed, ending))
  const ending = await run(context, claimed, services, undefined, (late) => {
    if (tool.kind !== 'read' && late.status !== 'unknown')
      record(late).catch((error: unknown) =>
        context.report({
          code: 'LATE_OUTCOME_LOST',
          message: 'a late outcome could not be stored',
          callId: call.callId,
          error,
        }),
      )
  })
  return record(ending)
}

function saveOf(
  { tool, governed, call, payload }: ClaimedCall,
  ending: CallEnding,
): ((transaction: HandedTransaction) => Promise<void>) | undefined {
  const { save } = tool
  const { result } = ending.payload
  if (save === undefined || ending.status !== 'done' || result?.success !== true) return undefined
  return async ({ db }) => {
    const services = governed.pack.services.writers({ db, principal: call.principal, scope: call.scope })
    const erased = { result: result.data, services, input: payload.input }
    await save(erased as Record<keyof typeof erased, never>) // erased types; made by this tool
  }
}

/** Runs the tool under its deadline. At the deadline the handed transaction is revoked, so that nothing more gets in. */
async function run(
  context: GateContext,
  claimed: ClaimedCall,
  services: unknown,
  transaction: HandedTransaction | undefined,
  onLate?: (ending: CallEnding) => void,
): Promise<CallEnding> {
  const { tool, call, payload, governed, onEvent } = claimed
  const { callId } = call
  const startedAt = performance.now()
  const { ending, serviceCall } = await executeTool({
    tool,
    input: payload.input,
    services,
    scope: call.scope,
    principal: call.principal,
    idempotencyKey: call.idempotencyKey ?? callId,
    timeoutMs: timeoutOf(context, tool),
    signal: claimed.signal,
    call: { id: callId, pack: call.pack, toolName: call.toolName, attempt: call.attempt },
    progress: (progress) => onEvent?.({ type: 'call-progress', callId, progress }),
    logger: {
      info: (message, details) => onEvent?.({ type: 'call-log', callId, level: 'info', message, details }),
      warn: (message, details) => onEvent?.({ type: 'call-log', callId, level: 'warn', message, details }),
    },
  })
  const facts = (): EndingFacts => ({ governed, tool, payload, serviceCall: serviceCall(), startedAt })
  if (ending.kind === 'timeout' || ending.kind === 'cancelled') {
    transaction?.revoke(
      new Error(
        `the ${ending.kind === 'timeout' ? 'deadline' : 'cancellation'} of this call has passed; its transaction is rolled back`,
      ),
    )
    ending.late.then((late: Deadlined<unknown>) => onLate?.(endingOf(context, facts(), late)))
  }
  return endingOf(context, facts(), ending)
}

export function timeoutOf(context: GateContext, tool: Tool): number {
  return (
    tool.limits.timeoutMs ??
    (tool.effect === 'transaction' ? context.limits.transactionTimeoutMs : context.limits.timeoutMs)
  )
}

function afterEnding(call: StoredCall, ending: CallEnding): StoredCall {
  return {
    ...call,
    status: ending.status,
    code: ending.code,
    description: ending.description,
    payload: ending.payload,
    durationMs: ending.durationMs,
    truncated: ending.truncated,
    executedAt: call.executedAt ?? new Date(),
    endedAt: new Date(),
  }
}
