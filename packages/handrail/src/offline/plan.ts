import type { Clause, Understanding } from './clauses.ts'
import { Lists, type NeededList } from './lists.ts'
import { NamedScopes } from './named-scopes.ts'
import type { OfferedTool } from './offered-tools.ts'
import type { Reading } from './read-clause.ts'
import { type Bound, bindReading, Later, neededLists, type Request, type Surroundings } from './resolve-references.ts'
import { thingIn } from './rows.ts'
import type { PastCall, PlannedCall } from './transcript.ts'

/** What came of a message. `stopped`: why not everything, or nothing, was done. */
export interface Ending {
  done: { request: Request; result: PastCall['result'] }[]
  stopped: string | undefined
}

/**
 * Carries a message out: looks names up, then makes the calls. Yields the calls of one step and is given what came of
 * them. Deterministic, so that a conversation is continued by playing it again against what is recorded.
 *
 * No write is made before every name in the whole message is resolved.
 */
export function* carryOut(
  { clauses, scopeName }: Understanding,
  tools: readonly OfferedTool[],
  lastTurn: readonly PastCall[],
): Generator<PlannedCall[], Ending, PastCall[]> {
  const stopped = (text: string): Ending => ({ done: [], stopped: text })
  const lists = new Lists(tools)

  const scopes = new NamedScopes(clauses, scopeName, lists)
  yield* readLists(
    clauses.flatMap((clause, index) =>
      firstTier(clause).map((reading) => ({ reading, before: clauses.slice(0, index).flatMap(expected) })),
    ),
    scopes,
    lists,
  )
  const requests: Request[] = []
  const bindAll = function* (): Generator<PlannedCall[], string | undefined, PastCall[]> {
    for (const clause of clauses) {
      const bound = yield* bindClause(clause, scopes, lists, {
        before: requests,
        lastTurn,
        toolNamed: (name) => tools.find((tool) => tool.name === name),
      })
      if (bound.kind === 'problem') return bound.text
      requests.push(bound.request)
    }
    return undefined
  }
  const problem = yield* bindAll()
  return problem === undefined ? yield* makeCalls(requests) : stopped(problem)
}

/** What a clause will make, before its own names are looked up: enough to know that a later name means it. */
function expected({ readings: [reading] }: Clause): Request[] {
  if (!reading) return []
  const values = Object.entries(reading.slots).flatMap(([field, slot]) =>
    slot.kind === 'value' ? [[field, slot.value] as const] : [],
  )
  return [{ tool: reading.tool, input: Object.fromEntries(values), summary: '' }]
}

/** Tries the best readings first; one tier of equally good readings must leave exactly one call. */
function* bindClause(
  clause: Clause,
  scopes: NamedScopes,
  lists: Lists,
  around: Omit<Surroundings, 'rowsOf' | 'scopeId'>,
): Generator<PlannedCall[], Bound, PastCall[]> {
  let firstProblem: string | undefined
  for (
    let readings = clause.readings;
    readings.length > 0;
    readings = readings.filter(({ recognised }) => recognised < (readings[0]?.recognised ?? 0))
  ) {
    const isBest = readings === clause.readings
    // A lesser reading must at least be borne out by a thing that exists.
    const tier = firstTier({ ...clause, readings }).filter(
      ({ tool, slots }) =>
        isBest || tool.kind === 'read' || Object.values(slots).some(({ kind }) => kind === 'reference'),
    )
    yield* readLists(
      tier.map((reading) => ({ reading, before: around.before })),
      scopes,
      lists,
    )
    const outcomes: Bound[] = []
    for (const reading of tier) {
      const scope = yield* scopes.find(reading)
      if ('problem' in scope) outcomes.push({ kind: 'problem', text: scope.problem })
      else
        outcomes.push(
          bindReading(reading, {
            ...around,
            scopeId: scope.id,
            rowsOf: (tool, listTool) => lists.rows(tool, listTool, scope.id),
          }),
        )
    }
    const bound = new Map(
      outcomes.flatMap((outcome) => (outcome.kind === 'bound' ? [[callKey(outcome.request), outcome] as const] : [])),
    )
    const choice = outcomes.find((outcome) => outcome.kind === 'problem' && outcome.isFinal === true)
    if (choice && (bound.size === 0 || tier.some(({ tool }) => tool.kind !== 'read'))) return choice
    const [only] = bound.values()
    if (only && bound.size === 1) return only
    if (bound.size > 1) {
      return {
        kind: 'problem',
        text: `That could mean ${[...bound.values()].map(({ request }) => `to ${request.summary}`).join(' or ')}. Please say it more exactly.`,
      }
    }
    const names = new Set(
      tier.flatMap((reading) =>
        Object.values(reading.slots).flatMap((slot) =>
          slot.kind === 'reference' ? slot.names.flatMap((name) => (name.kind === 'name' ? [name.text] : [])) : [],
        ),
      ),
    )
    if (new Set(tier.map(({ tool }) => tool.category)).size > 1 && names.size === 1)
      firstProblem ??= `I found nothing called "${[...names].join('')}".`
    firstProblem ??= outcomes.find((outcome) => outcome.kind === 'problem')?.text
  }
  return { kind: 'problem', text: firstProblem ?? 'I did not understand that.' }
}

/** Reads the lists that the readings' names are looked up in, all in one step as far as no project has to be found first. */
function* readLists(
  needs: readonly { reading: Reading; before: readonly Request[] }[],
  scopes: NamedScopes,
  lists: Lists,
): Generator<PlannedCall[], void, PastCall[]> {
  const needed: NeededList[] = []
  for (const { reading, before } of needs) {
    const scope = yield* scopes.find(reading)
    if ('problem' in scope) continue
    for (const listTool of neededLists(reading, { before }))
      needed.push({ tool: reading.tool, listTool, scopeId: scope.id })
  }
  yield* lists.read(needed)
}

function callKey({ tool, input }: Request): string {
  return `${tool.name} ${JSON.stringify(Object.entries(input).sort(([one], [other]) => (one < other ? -1 : 1)))}`
}

function firstTier({ readings }: Clause): Reading[] {
  return readings.filter(({ recognised }) => recognised === readings[0]?.recognised)
}

/** Makes the calls in their order: reads together, writes together, and after a failed write no further one. */
export function* makeCalls(requests: readonly Request[]): Generator<PlannedCall[], Ending, PastCall[]> {
  const done: Ending['done'] = []
  while (done.length < requests.length) {
    const failed = done.find(
      ({ request, result }) => request.tool.kind !== 'read' && !result.success && !('requiresConfirmation' in result),
    )
    const step = nextStep(requests.slice(done.length), done.length)
    if (failed && step.some(({ tool }) => tool.kind !== 'read'))
      return { done, stopped: leftUndone(requests.slice(done.length)) }
    const calls: PlannedCall[] = []
    for (const request of step) {
      const input = filledIn(request, done)
      if (!input) return { done, stopped: leftUndone(requests.slice(done.length)) }
      calls.push({ toolName: request.tool.name, input })
    }
    const results = yield calls
    done.push(...step.flatMap((request, index) => (results[index] ? [{ request, result: results[index].result }] : [])))
  }
  return { done, stopped: undefined }
}

function nextStep(requests: readonly Request[], offset: number): Request[] {
  const isRead = requests[0]?.tool.kind === 'read'
  const end = requests.findIndex(
    ({ tool, input }, index) =>
      index > 0 &&
      ((tool.kind === 'read') !== isRead || laterOf(input).some(({ requestIndex }) => requestIndex >= offset)),
  )
  return requests.slice(0, end < 0 ? requests.length : end)
}

function laterOf(input: Request['input']): Later[] {
  return Object.values(input)
    .flat()
    .filter((value) => value instanceof Later)
}

function filledIn({ input }: Request, done: Ending['done']): Record<string, unknown> | undefined {
  const entries = Object.entries(input).map(
    ([field, value]) =>
      [
        field,
        Array.isArray(value) ? value.map((item: unknown) => filledValue(item, done)) : filledValue(value, done),
      ] as const,
  )
  const isFilled = entries.every(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.includes(undefined)),
  )
  return isFilled ? Object.fromEntries(entries) : undefined
}

function filledValue(value: unknown, done: Ending['done']): unknown {
  if (!(value instanceof Later)) return value
  const made = done[value.requestIndex]
  if (!made?.result.success) return undefined
  const { tool } = made.request
  return thingIn(made.result.data, value.idField, tool.phrases.nouns[tool.category] ?? [])?.[value.idField]
}

function leftUndone(requests: readonly Request[]): string {
  return `Because of that I did not go on to ${requests.map(({ summary }) => summary).join(', nor to ')}.`
}
