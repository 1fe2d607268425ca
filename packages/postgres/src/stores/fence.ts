import type { AttemptFence } from 'handrail'

/**
 * The condition, over `handrail.calls c`, under which an attempt may still end its call: it is the latest, and its run has
 * no other holder. What happened outside is kept even then: the attempt alone says whose outcome it is. An outcome also
 * settles an unknown one.
 *
 * The status is judged in a CASE, which the planner cannot take for a reason to read all of the small index of
 * unfinished calls instead of finding the row by its key.
 *
 * @param at where the parameters stand: `attempt`, `run` (null without a lease), `status` (null before there is one)
 * @param held SQL that finds a row while the token holds the run
 */
export function mayEnd(at: { attempt: string; run: string; status: string }, held: string): string {
  return `(c.attempt = ${at.attempt} and case c.status
    when 'unknown' then ${at.status} <> 'unknown'
    when 'running' then ${at.run} is null or c.effect = 'external' or exists (${held})
    else false end)`
}

/** The values of attempt, run and token. */
export function fenceValues({ attempt, lease }: AttemptFence): unknown[] {
  return [attempt, lease?.runId, lease?.token]
}
