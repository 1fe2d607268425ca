import { type ScannedMessage, scanMessage } from '../guard/scan-message.ts'
import { canonicalJson } from '../ledger/digest.ts'
import { type GuardRecord, readGuardRecords, toolsOf } from './guard-record.ts'

/** How many positives of a format were found. */
export interface FormatScore {
  records: number
  /** The right tools, in the right order. */
  byName: number
  /** And their arguments. */
  byNameAndArguments: number
}

/** How often a call was found where there is none. */
export interface AlarmScore {
  records: number
  falseAlarms: number
}

export interface GuardScore {
  formats: Record<string, FormatScore>
  positives: FormatScore
  clean: AlarmScore
  lookalikes: AlarmScore
  /** Look-alikes about which suites disagree. */
  disputed: AlarmScore
  /** Records that give the same in one piece, in their own pieces where they have some, and letter by letter. */
  streaming: { records: number; same: number }
  /** Of the messages of all records as one text, and of the clean ones as one; on this machine, now. */
  bytesPerSecond: { records: number; prose: number }
  /** What was not as expected, for looking into. */
  misses: { id: string; kind: 'positive' | 'clean' | 'lookalike' | 'streaming'; expected: unknown; found: unknown }[]
}

/**
 * Measures the response guard on recorded model outputs: the code that ships, with its settings.
 *
 * @param files JSON Lines, one record per line.
 * @throws Error naming the file and line of a record that is none.
 */
export function evalGuard(files: readonly string[]): GuardScore {
  const records = files.flatMap(readGuardRecords)
  const score: GuardScore = {
    formats: {},
    positives: { records: 0, byName: 0, byNameAndArguments: 0 },
    clean: { records: 0, falseAlarms: 0 },
    lookalikes: { records: 0, falseAlarms: 0 },
    disputed: { records: 0, falseAlarms: 0 },
    streaming: { records: 0, same: 0 },
    bytesPerSecond: speedOf(records),
    misses: [],
  }
  for (const record of records) {
    const message = scanMessage([record.text], { tools: toolsOf(record) })
    if (record.kind === 'positive') scorePositive(score, record, message)
    else scoreNegative(score, record, message)
    scoreStreaming(score, record, message)
  }
  return score
}

function scorePositive(score: GuardScore, record: GuardRecord, message: ScannedMessage): void {
  const format = record.format ?? 'other'
  score.formats[format] ??= { records: 0, byName: 0, byNameAndArguments: 0 }
  const expected = record.expected_calls ?? []
  const byName =
    canonicalJson(expected.map((call) => call.name)) === canonicalJson(message.calls.map((call) => call.name))
  const complete = record.args_complete !== false
  const all =
    byName && expected.every((call, index) => sameArguments(call.arguments, message.calls[index]?.arguments, complete))
  for (const sum of [score.formats[format], score.positives]) {
    sum.records++
    if (byName) sum.byName++
    if (all) sum.byNameAndArguments++
  }
  if (!all) score.misses.push({ id: record.id, kind: 'positive', expected, found: message.calls })
}

function sameArguments(expected: unknown, found: unknown, complete: boolean): boolean {
  if (complete || typeof expected !== 'object' || expected === null) return json(expected) === json(found)
  const given = new Map(Object.entries(found ?? {}))
  return Object.entries(expected).every(([key, value]) => json(value) === json(given.get(key)))
}

function json(value: unknown): string {
  return canonicalJson(value ?? null)
}

function scoreNegative(score: GuardScore, record: GuardRecord, message: ScannedMessage): void {
  const kind = record.neg_class ?? 'clean'
  const sum = record.disputed === true ? score.disputed : kind === 'clean' ? score.clean : score.lookalikes
  sum.records++
  if (message.calls.length === 0) return
  sum.falseAlarms++
  if (sum !== score.disputed) score.misses.push({ id: record.id, kind, expected: [], found: message.calls })
}

function scoreStreaming(score: GuardScore, record: GuardRecord, message: ScannedMessage): void {
  const tools = toolsOf(record)
  const cuts = [[...record.text], ...(record.chunks === undefined || record.chunks === null ? [] : [record.chunks])]
  const found = cuts.map((pieces) => scanMessage(pieces, { tools }))
  const same = found.every((other) => JSON.stringify(other) === JSON.stringify(message))
  score.streaming.records++
  if (same) score.streaming.same++
  else score.misses.push({ id: record.id, kind: 'streaming', expected: message, found })
}

/** Long enough that one run takes milliseconds, and what starts up is warm. */
const enough = 1_000_000

function speedOf(records: readonly GuardRecord[]): GuardScore['bytesPerSecond'] {
  const prose = records.filter((record) => record.neg_class === 'clean')
  return { records: speed(records), prose: speed(prose) }
}

function speed(records: readonly GuardRecord[]): number {
  if (records.length === 0) return 0
  const tools = records[0] === undefined ? [] : toolsOf(records[0])
  let text = records.map((record) => record.text).join('\n\n')
  while (text.length < enough) text += `\n\n${text}`
  const bytes = Buffer.byteLength(text)
  let best = 0
  for (let run = 0; run < 5; run++) {
    const startedAt = performance.now()
    scanMessage([text], { tools })
    best = Math.max(best, bytes / ((performance.now() - startedAt) / 1_000))
  }
  return Math.round(best)
}
