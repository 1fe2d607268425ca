import type { LedgerEntry, StoredCall } from 'handrail'
import type { CallAnswer } from './control.ts'
import type { Observed } from './observed.ts'

/** One thing that is said of every run, and where it did not hold. */
export interface Claim {
  claim: string
  /** How many things were looked at: a claim about nothing says nothing. */
  looked: number
  violations: string[]
}

/** Holds what clients heard against what the rows and the service outside say. */
export function checkHistory(observed: Observed): Claim[] {
  const facts = factsOf(observed)
  return [
    transactionalEffects(facts),
    oneEffectPerNote(facts),
    keys(facts),
    otherInput(facts),
    outsideOnce(facts),
    outsideKeyed(facts),
    answersStand(facts),
    approvals(facts),
    decisionsAgree(facts),
    tampering(facts),
    recordBeforeEffect(facts),
    oneEnding(facts),
    sealsHold(facts),
    runsEnd(facts),
    stepsWait(facts),
    messagesArrive(facts),
    nothingLeft(facts),
    processesLive(facts),
  ]
}

interface Facts extends Observed {
  byId: ReadonlyMap<string, StoredCall>
  byKey: ReadonlyMap<string, StoredCall[]>
  rowsOf: ReadonlyMap<string, Observed['entries'][number][]>
  startsOf: ReadonlyMap<string, Observed['starts'][number][]>
  eventsOf: ReadonlyMap<string, LedgerEntry[]>
  tampered: ReadonlySet<string>
}

function factsOf(observed: Observed): Facts {
  return {
    ...observed,
    byId: new Map(observed.calls.map((call) => [call.callId, call])),
    byKey: groups(
      observed.calls.filter(({ idempotencyKey }) => idempotencyKey !== undefined),
      (call) => keyOf(call.tenantId, call.principal.userId, call.toolName, call.idempotencyKey ?? ''),
    ),
    rowsOf: groups(observed.entries, ({ callId }) => callId),
    startsOf: groups(observed.starts, ({ callId }) => callId),
    eventsOf: groups(observed.ledger, ({ callId }) => callId),
    tampered: new Set(
      observed.history.flatMap((line) =>
        line.path === '/sql' && line.request.text.includes('call_payloads') ? [String(line.request.values?.[1])] : [],
      ),
    ),
  }
}

function transactionalEffects({ calls, entries, byId, rowsOf }: Facts): Claim {
  const transactional = calls.filter(({ effect }) => effect === 'transaction')
  return claim('a transactional call that is done has exactly one row, any other none', transactional.length, [
    ...transactional.flatMap((call) => {
      const expected = call.status === 'done' ? 1 : 0
      const found = rowsOf.get(call.callId)?.length ?? 0
      return found === expected ? [] : [`${told(call)} has ${found} rows`]
    }),
    ...entries.flatMap(({ callId, note }) => (byId.has(callId) ? [] : [`row "${note}" belongs to no call`])),
    ...entries.flatMap(({ callId, note }) => {
      const call = byId.get(callId)
      return call && noteOf(call) !== note ? [`${told(call)} wrote "${note}", its record says "${noteOf(call)}"`] : []
    }),
  ])
}

function oneEffectPerNote({ entries, starts }: Facts): Claim {
  const rows = groups(entries, ({ note }) => note)
  const posts = groups(
    starts.filter(({ tool }) => tool === 'post_once'),
    ({ note }) => note,
  )
  return claim(
    'what was asked for once happens once, whoever and however often it was asked again',
    rows.size + posts.size,
    [...more(rows, 'rows'), ...more(posts, 'starts outside')],
  )
}

function keys({ byKey, rowsOf }: Facts): Claim {
  return claim(
    'one key is one call',
    byKey.size,
    [...byKey].flatMap(([key, calls]) => {
      const rows = calls.reduce((sum, { callId }) => sum + (rowsOf.get(callId)?.length ?? 0), 0)
      return calls.length > 1 || rows > 1 ? [`key ${key}: calls ${calls.map(told).join(', ')}, ${rows} rows`] : []
    }),
  )
}

function otherInput({ history, byKey }: Facts): Claim {
  let looked = 0
  const violations = history.flatMap((line) => {
    if (line.path !== '/call' || line.answer === undefined || line.request.name === 'count_entries') return []
    const { person, name, key, input } = line.request
    const stored = byKey.get(keyOf(person.tenantId, person.userId, name, key))?.[0]
    const asked = JSON.stringify(input)
    if (stored === undefined || isEdited(stored) || noteOf(stored).endsWith(' tampered')) return []
    const isSame = asked === JSON.stringify(stored.payload?.input)
    const isConflict = line.answer.callId !== stored.callId
    if (!isSame) looked += 1
    if (isSame !== isConflict) return []
    return [
      `key ${key} with ${asked} was answered ${line.answer.status} ${line.answer.code ?? ''} by ${line.answer.callId}`,
    ]
  })
  return claim('a key with other arguments is a conflict and runs nothing', looked, violations)
}

function outsideOnce({ calls, starts, byId, startsOf }: Facts): Claim {
  const once = calls.filter(({ toolName }) => toolName === 'post_once')
  return claim(
    'a call that acts outside starts at most once per key, and a start is done or shown as unknown',
    once.length,
    [
      ...more(
        groups(
          starts.filter(({ tool }) => tool === 'post_once'),
          ({ key }) => key,
        ),
        'starts outside',
      ),
      ...starts.flatMap(({ callId, tool }) =>
        byId.has(callId) ? [] : [`a start of ${tool} belongs to no call: ${callId}`],
      ),
      ...once.flatMap((call) => {
        const found = startsOf.get(call.callId)?.length ?? 0
        if (call.description.startsWith('Settled by a person')) return []
        if (call.status === 'done' && found === 0) return [`${told(call)} never started`]
        const mayHaveStarted = call.status === 'done' || call.status === 'unknown'
        return found > 0 && !mayHaveStarted ? [`${told(call)} started`] : []
      }),
    ],
  )
}

function outsideKeyed({ calls, startsOf }: Facts): Claim {
  const keyed = calls.filter(({ toolName }) => toolName === 'post_keyed')
  return claim(
    'an idempotent call is repeated with one and the same key, so that a service which honours keys acts once',
    keyed.length,
    keyed.flatMap((call) => {
      const starts = startsOf.get(call.callId) ?? []
      const fresh = starts.filter(({ isRepeat }) => !isRepeat).length
      const wrongKey = starts.some(({ key }) => key !== (call.idempotencyKey ?? call.callId))
      if (wrongKey || fresh > 1 || starts.length > call.attempt) return [`${told(call)}: ${JSON.stringify(starts)}`]
      return []
    }),
  )
}

const refusals: ReadonlySet<string> = new Set(['CONFLICT', 'CANCELLED', 'REFUSED', 'FORBIDDEN', 'RATE_LIMITED'])

function answersStand({ history, byId }: Facts): Claim {
  let looked = 0
  const violations = history.flatMap((line) => {
    const answer = callIn(line)
    if (answer === undefined) return []
    looked += 1
    const call = byId.get(answer.callId)
    // A refusal stands also where the database was away and it could not be put on record.
    if (call === undefined && refusals.has(answer.code ?? '')) return []
    if (call === undefined)
      return [`${line.client} was told of ${answer.callId} (${answer.status}), which is not there`]
    const isOpen = answer.status === 'running' || answer.status === 'awaiting_approval' || answer.status === 'unknown'
    return isOpen || answer.status === call.status ? [] : [`${line.client} was told ${answer.status} of ${told(call)}`]
  })
  return claim('what a client was told of a call stays true', looked, violations)
}

function approvals({ approvals: all, calls, byId, rowsOf, eventsOf }: Facts): Claim {
  const used = groups(
    calls.filter(({ approvalId }) => approvalId !== undefined),
    ({ approvalId }) => approvalId ?? '',
  )
  return claim(
    'an approval has one end, and is carried out at most once; what was not approved runs nothing',
    all.length,
    [
      ...all.flatMap((approval) => {
        const call = byId.get(approval.callId)
        const name = `approval ${approval.approvalId} (${approval.status})`
        if (call === undefined) return [`${name} belongs to no call`]
        const decided = eventsOf
          .get(call.callId)
          ?.filter((e) => e.event === 'decided' && e.approvalId === approval.approvalId)
        const found: string[] = []
        if (approval.status === 'pending') found.push(`${name} was never decided`)
        if ((decided?.length ?? 0) !== (approval.decision ? 1 : 0))
          found.push(`${name} was decided ${decided?.length} times`)
        if (approval.status === 'used' && approval.decision?.decision !== 'approve')
          found.push(`${name} was used unapproved`)
        const rows = rowsOf.get(call.callId)?.length ?? 0
        if (call.approvalId !== approval.approvalId) return found
        if (approval.status !== 'used' && (rows > 0 || call.attempt > 0))
          found.push(`${name} was carried out: ${told(call)}`)
        return found
      }),
      ...[...used].flatMap(([id, sharing]) =>
        sharing.length > 1 ? [`approval ${id} stands for ${sharing.length} calls`] : [],
      ),
    ],
  )
}

function decisionsAgree({ history, approvals: all }: Facts): Claim {
  const byApproval = new Map(all.map((approval) => [approval.approvalId, approval]))
  let looked = 0
  const violations = history.flatMap((line) => {
    if (line.path !== '/decide' || line.answer?.standing === undefined) return []
    looked += 1
    const { standing, kind } = line.answer
    const { person, approvalId, decision } = line.request
    const approval = byApproval.get(approvalId)
    const stands = approval?.decision
    const shown = `${standing.decision} by ${standing.by} ${standing.editedDigest ?? ''}`
    const kept = `${stands?.decision} by ${stands?.by.userId} ${stands?.editedDigest ?? ''}`
    if (shown !== kept) return [`${line.client} was shown "${shown}" of ${approvalId}, "${kept}" stands`]
    if (kind === 'decided' && (stands?.by.userId !== person.userId || stands.decision !== decision))
      return [`${person.userId} was told that "${decision}" decided ${approvalId}, "${kept}" stands`]
    return []
  })
  return claim('all who decide on an approval are shown the same one decision', looked, violations)
}

function tampering({ tampered, entries, byId, history }: Facts): Claim {
  const ran = entries.filter(({ note }) => note.endsWith(' tampered'))
  const changed = history.flatMap((line) =>
    line.path === '/sql' && line.answer?.rowCount === 1 && line.request.text.includes('call_payloads')
      ? [String(line.request.values?.[1])]
      : [],
  )
  return claim('what was changed in the database behind an approval never runs', tampered.size, [
    ...ran.map(({ callId, note }) => `"${note}" ran as ${callId}`),
    ...changed.flatMap((callId) => {
      const call = byId.get(callId)
      return call?.status === 'done' ? [`${told(call)} although its arguments had been changed`] : []
    }),
  ])
}

function recordBeforeEffect({ calls, eventsOf, rowsOf, startsOf }: Facts): Claim {
  const acted = calls.filter(({ callId }) => rowsOf.has(callId) || startsOf.has(callId))
  return claim(
    'nothing acts before its start, and where a person is asked their approval, are on record',
    acted.length,
    acted.flatMap((call) => {
      const events = (eventsOf.get(call.callId) ?? []).map(({ event }) => event)
      const started = events.indexOf('started')
      const decided = events.indexOf('decided')
      if (started < 0) return [`${told(call)} has no start on record`]
      return events.includes('asked') && (decided < 0 || decided > started)
        ? [`${told(call)}: ${events.join(', ')}`]
        : []
    }),
  )
}

function oneEnding({ calls, eventsOf }: Facts): Claim {
  return claim(
    'every call has one start on record for each attempt, one ending, and at most one settlement',
    calls.length,
    calls.flatMap((call) => {
      const events = (eventsOf.get(call.callId) ?? []).map(({ event }) => event)
      const count = (event: LedgerEntry['event']) => events.filter((found) => found === event).length
      const isRight = count('started') === call.attempt && count('ended') === 1 && count('settled') <= 1
      return isRight ? [] : [`${told(call)}: ${events.join(', ')}`]
    }),
  )
}

function sealsHold({ reports, tampered }: Facts): Claim {
  const sealed = reports.reduce((sum, report) => sum + report.sealed, 0)
  const problems = reports.flatMap((report) => report.problems)
  return claim('the ledger verifies, and names calls whose arguments were changed, no others', sealed, [
    ...problems.flatMap(({ kind, callId, message }) =>
      callId && tampered.has(callId) ? [] : [`${kind}: ${message} ${callId ?? ''}`],
    ),
    ...reports.flatMap(({ unsealed }) => (unsealed > 0 ? [`${unsealed} entries were left unsealed`] : [])),
  ])
}

function runsEnd({ runs, history }: Facts): Claim {
  const known = new Set(runs.map(({ runId }) => runId))
  const promised = history.flatMap((line) => (line.path === '/send' && line.answer?.runId ? [line.answer.runId] : []))
  return claim('every run ends', runs.length, [
    ...runs.flatMap(({ runId, status, step, wakeAt }) =>
      status === 'running' || status === 'waiting'
        ? [`run ${runId} is ${status} at step ${step}, to wake ${wakeAt}`]
        : [],
    ),
    ...runs.flatMap(({ runId, status, error }) => (status === 'failed' ? [`run ${runId} failed: ${error}`] : [])),
    ...promised.filter((runId) => !known.has(runId)).map((runId) => `run ${runId} was lost`),
  ])
}

function stepsWait({ steps, byId, eventsOf }: Facts): Claim {
  const next = new Map(steps.map((step) => [`${step.runId} ${step.step}`, step]))
  let looked = 0
  const violations = steps.flatMap(({ runId, step, callIds }) => {
    const after = next.get(`${runId} ${step + 1}`)
    if (after === undefined) return []
    return callIds.flatMap((callId) => {
      looked += 1
      const call = byId.get(callId)
      if (call === undefined) return [`call ${callId} of step ${step} of run ${runId} was never made`]
      // An approval may be decided after the run has gone on with another message.
      const ended = eventsOf.get(callId)?.find(({ event }) => event === 'ended')
      const isLate = call.approvalId === undefined && (ended?.at.getTime() ?? 0) > after.at + 5
      return isLate ? [`step ${step + 1} of run ${runId} began before ${told(call)} had ended`] : []
    })
  })
  return claim('a step begins when every call of the step before it has ended or waits', looked, violations)
}

function messagesArrive({ history, messages, queuedMessages }: Facts): Claim {
  const acknowledged = history.flatMap((line) => (line.path === '/send' && line.answer?.runId ? [line.request] : []))
  const places = groups(messages, ({ messageId }) => messageId)
  return claim('every message that was taken stands in its thread, once', acknowledged.length, [
    ...acknowledged.flatMap(({ messageId }) =>
      places.get(messageId)?.length === 1
        ? []
        : [`message ${messageId} stands ${places.get(messageId)?.length ?? 0} times`],
    ),
    ...(queuedMessages > 0 ? [`${queuedMessages} messages were left in the queue`] : []),
  ])
}

function nothingLeft({ calls, isSettled }: Facts): Claim {
  const open = calls.filter(({ status }) => status === 'running' || status === 'awaiting_approval')
  return claim('no call is left running or waiting, and every client gets an outcome', calls.length, [
    ...open.map(told),
    ...(isSettled ? [] : ['some client was still without an outcome when the time was over']),
  ])
}

function processesLive({ accidents, history }: Facts): Claim {
  return claim('no process ends but by a signal', history.length, [...accidents])
}

function claim(text: string, looked: number, violations: string[]): Claim {
  return { claim: text, looked, violations }
}

function groups<T>(items: Iterable<T>, keyOfItem: (item: T) => string): Map<string, T[]> {
  return Map.groupBy(items, keyOfItem)
}

function more(grouped: ReadonlyMap<string, readonly unknown[]>, what: string): string[] {
  return [...grouped].flatMap(([key, items]) => (items.length > 1 ? [`"${key}" has ${items.length} ${what}`] : []))
}

function keyOf(tenantId: string, userId: string, toolName: string, key: string): string {
  return `${tenantId}/${userId}/${toolName}/${key}`
}

function noteOf(call: StoredCall): string {
  const input = call.payload?.input
  return typeof input === 'object' && input !== null && 'note' in input ? String(input.note) : ''
}

function isEdited(call: StoredCall): boolean {
  return noteOf(call).endsWith(' edited')
}

function told(call: StoredCall): string {
  return `${call.toolName} ${call.callId} (${call.status}, attempt ${call.attempt}, "${noteOf(call)}")`
}

function callIn(line: Observed['history'][number]): CallAnswer | undefined {
  switch (line.path) {
    case '/call':
    case '/look':
      return line.answer ?? undefined
    case '/decide':
    case '/settle':
      return line.answer?.call
    default:
      return undefined
  }
}
