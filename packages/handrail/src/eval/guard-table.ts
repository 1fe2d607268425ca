import type { FormatScore, GuardScore } from './eval-guard.ts'

/** The score as a table for people. */
export function guardTable(score: GuardScore): string {
  const formats = Object.entries(score.formats).sort(([, one], [, other]) => other.records - one.records)
  const lines = [
    row('format', 'records', 'by name', 'and arguments'),
    ...formats.map(([name, sum]) => formatRow(name, sum)),
    formatRow('all', score.positives),
    '',
    row('negatives', 'records', 'false alarms', ''),
    alarmRow('clean', score.clean),
    alarmRow('look-alikes', score.lookalikes),
    alarmRow('disputed', score.disputed),
    '',
    `streamed as in one piece: ${score.streaming.same} of ${score.streaming.records}`,
    `speed: ${megabytes(score.bytesPerSecond.records)} (all records), ${megabytes(score.bytesPerSecond.prose)} (clean ones)`,
  ]
  return lines.join('\n')
}

function formatRow(name: string, sum: FormatScore): string {
  return row(name, String(sum.records), share(sum.byName, sum.records), share(sum.byNameAndArguments, sum.records))
}

function alarmRow(name: string, sum: { records: number; falseAlarms: number }): string {
  return row(name, String(sum.records), `${sum.falseAlarms} (${share(sum.falseAlarms, sum.records)})`, '')
}

function row(first: string, second: string, third: string, fourth: string): string {
  return `${first.padEnd(22)}${second.padStart(8)}${third.padStart(15)}${fourth.padStart(15)}`.trimEnd()
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`
}

function megabytes(bytesPerSecond: number): string {
  return `${(bytesPerSecond / 1_000_000).toFixed(0)} MB/s`
}
