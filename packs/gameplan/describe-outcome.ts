import { isAsking, type ToolResult } from 'handrail'

/**
 * The line a person reads about a call: what was done, or what failed and why.
 *
 * @param done what was done, in the past: `Deleted game system "Old Prototype"`
 * @param attempt what was tried, after "Failed to": `delete game system 42`
 */
export function describeOutcome<Data>(result: ToolResult<Data>, done: (data: Data) => string, attempt: string): string {
  if (result.success) return done(result.data)
  return isAsking(result) ? `Waiting for approval to ${attempt}` : `Failed to ${attempt}: ${result.error}`
}
