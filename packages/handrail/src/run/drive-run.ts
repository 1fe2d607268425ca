import type { OperatorReport } from '../gate/gate-context.ts'
import { advance, end, ModelError } from './advance.ts'
import type { Channels } from './channels.ts'
import { loadSession } from './load-session.ts'
import type { RunRef } from './run-driver.ts'
import type { RunSession, RunTools } from './run-session.ts'
import { showOpen } from './show-open.ts'

/** A run in this process's hands. */
export interface Driving {
  ended: Promise<void>
  cancel(): void
  /** Stops at the next step boundary and gives the lease back, so that another process goes on at once. */
  handOver(): Promise<void>
}

export interface DriveRequest {
  ref: RunRef
  owner: string
  tools: RunTools
  channels: Channels
  driving: Map<string, Driving>
  report: OperatorReport
}

/** What is asked of a run while it is held. */
interface Control {
  isCancelled: boolean
  isHandedOver: boolean
  session: RunSession | undefined
}

/**
 * Holds a run's lease and advances it until it ends, waits, or the lease is lost. Waking a run twice is harmless: the
 * second finds the lease taken.
 */
export function driveRun(request: DriveRequest): Promise<void> {
  const { ref, driving } = request
  const held = driving.get(ref.runId)
  if (held) return held.ended
  const control: Control = { isCancelled: false, isHandedOver: false, session: undefined }
  const ended = hold(request, control).finally(() => driving.delete(ref.runId))
  driving.set(ref.runId, {
    ended,
    cancel() {
      control.isCancelled = true
      control.session?.abort.abort()
    },
    handOver() {
      control.isHandedOver = true
      return ended
    },
  })
  return ended
}

async function hold(request: DriveRequest, control: Control): Promise<void> {
  const { ref, owner, tools, channels, report } = request
  const { runs } = tools.gate.store
  const { limits } = tools
  try {
    for (;;) {
      const lease = await runs.acquire(ref.tenantId, ref.runId, owner, limits.leaseMs)
      const run = lease && (await runs.get(ref.tenantId, ref.runId))
      if (lease === undefined || run === undefined) return
      const channel = channels.of(ref.tenantId, run.threadId)
      const session = await loadSession(tools.gate, run, lease, channel, report)
      if (session === undefined) {
        report({ code: 'RUN_NOT_KNOWN', message: `run ${ref.runId} belongs to a pack that this process does not have` })
        await runs.release(ref.tenantId, lease, {
          status: 'running',
          wakeAt: new Date(Date.now() + limits.leaseMs),
          activeMs: run.activeMs,
        })
        return
      }
      control.session = session
      if (control.isCancelled || run.cancelRequested) session.abort.abort()
      channel.open(session.messageId)
      showOpen(session)
      const renewing = keepLease(session, tools)
      try {
        const next = await untilRest(session, tools, control, report)
        if (session.lost) {
          channel.close('other')
          return
        }
        if (next === 'ended') return
        channel.publish({
          type: 'data-run',
          id: run.runId,
          data: {
            runId: run.runId,
            status: next === 'waiting' ? 'waiting' : 'running',
            step: session.lastStep?.step ?? 0,
            mode: run.mode,
          },
        })
        await runs.release(ref.tenantId, lease, {
          status: next === 'waiting' ? 'waiting' : 'running',
          activeMs: Math.round(session.activeMs),
        })
        channel.close('tool-calls')
        // A decision or a message may have come in between the look at it and the release.
        const left = await runs.get(ref.tenantId, ref.runId)
        if (next !== 'waiting' || left?.wakeAt === undefined) return
      } finally {
        clearInterval(renewing)
      }
    }
  } catch (error) {
    const { session } = control
    report({
      code: 'RUN_INTERRUPTED',
      message: `run ${ref.runId} was interrupted; it is taken up again when its lease runs out`,
      error,
    })
    if (session) {
      session.channel.publish({ type: 'error', errorText: session.governed.say.storeUnavailable() })
      session.channel.close('error')
    }
  }
}

async function untilRest(
  session: RunSession,
  tools: RunTools,
  control: { isHandedOver: boolean },
  report: OperatorReport,
): Promise<'waiting' | 'ended' | 'handed-over'> {
  for (;;) {
    try {
      const next = await advance(session, tools)
      if (session.lost) return 'ended'
      if (next !== 'again') return next
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      report({ code: 'MODEL_FAILED', message: `the model gave run ${session.run.runId} no answer`, error: error.cause })
      await end(session, tools, 'failed', 'model-unreachable', error.message)
      return 'ended'
    }
    if (control.isHandedOver) return 'handed-over'
  }
}

/** Renews the lease while the run is at work, and hears of a cancellation that another process took. */
function keepLease(session: RunSession, { gate, limits }: RunTools): NodeJS.Timeout {
  const { run, lease } = session
  const timer = setInterval(async () => {
    try {
      const isKept = await gate.store.runs.renew(run.tenantId, lease, limits.leaseMs)
      if (!isKept) {
        session.lost = true
        session.abort.abort()
      } else if ((await gate.store.runs.get(run.tenantId, run.runId))?.cancelRequested) session.abort.abort()
    } catch {
      // The store is away: the next write fails and says so.
    }
  }, limits.renewMs)
  timer.unref()
  return timer
}
