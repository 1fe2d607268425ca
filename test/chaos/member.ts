import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { openDatabase, pgBossDriver } from '@handrail/postgres'
import {
  type Approval,
  createGate,
  createRunEngine,
  type Pack,
  type Principal,
  startSealer,
  type ToolCallRecord,
} from 'handrail'
import { createOfflineModel } from 'handrail/offline'
import { chaosMigrations, chaosPack } from './chaos-pack.ts'
import { type Answers, bodyOf, type CallAnswer, type Path, type Person, type Requests } from './control.ts'
import { Faults, withFaults } from './faults.ts'

// One process of the fleet: gate, run engine and sealer on a shared database. Takes requests over loopback HTTP, and
// prints `ready <port>`. node member.ts, with CHAOS_URL or CHAOS_DATA, CHAOS_DOWNSTREAM and CHAOS_SEAL_KEY.

/** Hands over what it holds; before it holds anything, there is nothing to hand over. */
let shutDown: () => Promise<void> = async () => {}
process.once('SIGTERM', () => void shutDown().then(() => process.exit(0)))

const { CHAOS_URL: url, CHAOS_DATA: dataFolder, CHAOS_DOWNSTREAM = '', CHAOS_SEAL_KEY = '' } = process.env
const farAway = 1_000_000

const database = await openDatabase({
  ...(url === undefined ? { dataFolder: dataFolder ?? '' } : { url }),
  connections: 8,
  migrations: [chaosMigrations],
})
const faults = new Faults()
const store = withFaults(database, faults)
const pack = chaosPack(CHAOS_DOWNSTREAM, faults)
const report = (event: { code: string; message: string; callId?: string; error?: unknown }): void =>
  console.error(event.code, event.message, event.callId ?? '', event.error ?? '')
const gate = createGate({
  packs: [pack as unknown as Pack], // a gate holds packs of any services
  store,
  limits: { callsPerHour: farAway, decideWithinMs: 8_000 },
  report,
})
const engine = createRunEngine({
  gate,
  model: createOfflineModel({ packs: [pack] }),
  driver: pgBossDriver(database, { onError: (error) => console.error('PG_BOSS', error.message) }),
  limits: { runsPerHour: farAway, leaseMs: 4_000, renewMs: 1_000 },
  report,
})
await engine.start()
const sealer = startSealer(store, CHAOS_SEAL_KEY, { onError: (error) => console.error('SEALER', error) })

const doors: { [P in Path]: (request: Requests[P], signal: AbortSignal) => Promise<Answers[P]> } = {
  async '/call'({ person, name, input, key }, signal) {
    const { record } = await gate.call({
      name,
      input,
      principal: principalOf(person),
      idempotencyKey: key,
      signal,
    })
    return callAnswer(record)
  },
  async '/thread'({ person, threadId }) {
    const known = await store.runs.getThread(person.tenantId, threadId)
    if (known === undefined)
      await engine.createThread({ principal: principalOf(person), pack: pack.name, scope: {}, threadId })
    return { threadId }
  },
  async '/send'({ person, threadId, messageId, text }) {
    const parts = [{ type: 'text', text }]
    const sent = await engine.send({ principal: principalOf(person), threadId, messageId, parts })
    if ('answer' in sent) await sent.answer?.cancel()
    return { kind: sent.kind, ...('run' in sent ? { runId: sent.run.runId } : {}) }
  },
  async '/cancel'({ person, runId }) {
    const run = await engine.cancel({ principal: principalOf(person), runId })
    return run ? { status: run.status } : {}
  },
  async '/decide'({ person, ...decision }) {
    const outcome = await gate.decide({ principal: principalOf(person), ...decision })
    if (outcome.kind === 'refused') return { kind: 'refused', code: outcome.code }
    return { kind: outcome.kind, standing: standingOf(outcome.approval), call: callAnswer(outcome.call) }
  },
  async '/settle'({ person, callId, outcome }) {
    const settled = await gate.settle({ principal: principalOf(person), callId, outcome })
    return settled.kind === 'settled'
      ? { kind: 'settled', call: callAnswer(settled.call) }
      : { kind: 'refused', code: settled.code }
  },
  async '/look'({ tenantId, callId }) {
    const call = await gate.getCall(principalOf({ tenantId, userId: 'alice' }), callId)
    return call && callAnswer(call)
  },
  async '/pending'({ tenantId }) {
    const { items } = await store.approvals.list(tenantId, { status: 'pending', limit: 100 })
    return items.map(({ approvalId, callId, requestedBy }) => ({ approvalId, callId, userId: requestedBy.userId }))
  },
  async '/unknown'({ tenantId }) {
    const { items } = await store.calls.list(tenantId, { status: 'unknown', limit: 100 })
    return items.map(({ callId, status, principal }) => ({ callId, status, userId: principal.userId }))
  },
  async '/state'() {
    const { rows } = await database.engine.query<Answers['/state']>({
      text: `
        select (select count(*) from handrail.calls where status = 'running') as running,
          (select count(*) from handrail.calls where status = 'awaiting_approval') as waiting,
          (select count(*) from handrail.runs where status in ('running', 'waiting')) as "liveRuns",
          (select count(*) from handrail.queued_messages) as queued`,
    })
    return rows[0] ?? { running: 0, waiting: 0, liveRuns: 0, queued: 0 }
  },
  async '/arm'({ fault }) {
    if (fault) faults.arm(fault)
    else faults.disarm()
    return {}
  },
  // Not a door of Handrail: this is someone with a password of the database.
  '/sql': ({ text, values = [] }) => database.engine.query({ text, values }),
}

function principalOf({ tenantId, userId }: Person): Principal {
  return { tenantId, userId, roles: ['owner'], actor: 'person', via: { door: 'http', credentialId: userId } }
}

function callAnswer({ callId, status, result, approval }: ToolCallRecord): CallAnswer {
  return {
    callId,
    status,
    ...(result && 'code' in result ? { code: result.code } : {}),
    ...(approval ? { approvalId: approval.approvalId } : {}),
  }
}

function standingOf({ status, decision }: Approval) {
  return {
    status,
    ...(decision ? { decision: decision.decision, by: decision.by.userId } : {}),
    ...(decision?.editedDigest ? { editedDigest: decision.editedDigest } : {}),
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => {
    if (!response.writableEnded) gone.abort()
  })
  const path = request.url ?? ''
  const door = Object.hasOwn(doors, path) ? doors[path as Path] : undefined // it is a key of `doors`
  if (door === undefined) {
    response.writeHead(404).end()
    return
  }
  try {
    const body = await bodyOf(request)
    const result = await door(body as never, gone.signal) // the fleet's own client sends what the path takes
    response.end(JSON.stringify(result ?? null))
  } catch (error) {
    response.writeHead(503).end(JSON.stringify({ error: String(error) }))
  }
}

const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`ready ${typeof address === 'object' && address ? address.port : 0}`)
})

shutDown = async () => {
  await new Promise((resolve) => server.close(resolve))
  await engine.stop()
  await sealer.stop()
  await database.close()
}
// Its input closes when the harness ends, in whatever way.
process.stdin.resume()
process.stdin.on('close', () => process.exit(1))
