import { appendFileSync } from 'node:fs'
import type { Answers, Path, Requests } from './control.ts'

/** One request of one client, and what it heard. Without `answer` nobody knows what became of it. */
export type HistoryLine = {
  [P in Path]: {
    at: number
    client: string
    member: string
    path: P
    request: Requests[P]
    answer?: Answers[P]
    lost?: string
  }
}[Path]

/** What clients did and heard, in order: kept, and written to a file as JSON lines. */
export class History {
  readonly lines: HistoryLine[] = []
  readonly file: string
  readonly #startedAt = performance.now()

  constructor(file: string) {
    this.file = file
  }

  add(line: Omit<HistoryLine, 'at'>): void {
    const timed = { at: Math.round(performance.now() - this.#startedAt), ...line } as HistoryLine // `Omit` loses the union
    this.lines.push(timed)
    appendFileSync(this.file, `${JSON.stringify(timed)}\n`)
  }

  /** The lines of one path, in order. */
  of<P extends Path>(path: P): Extract<HistoryLine, { path: P }>[] {
    return this.lines.filter((line): line is Extract<HistoryLine, { path: P }> => line.path === path)
  }
}
