export type Deadlined<T> =
  | { kind: 'returned'; value: T }
  | { kind: 'threw'; error: unknown }
  /** `late` settles whenever the work at last does; it never rejects. */
  | { kind: 'timeout' | 'cancelled'; late: Promise<Deadlined<T>> }

/**
 * Runs `work` and answers at the deadline even when it ignores its signal and never settles.
 *
 * @param timeoutMs milliseconds the work may take
 * @param outer cancels the work from outside
 */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T> | T,
  timeoutMs: number,
  outer?: AbortSignal,
): Promise<Deadlined<T>> {
  const controller = new AbortController()
  let stop: (ending: 'timeout' | 'cancelled') => void = () => {}
  const stopped = new Promise<'timeout' | 'cancelled'>((resolve) => {
    stop = resolve
  })
  const timer = setTimeout(stop, timeoutMs, 'timeout')
  const onAbort = () => stop('cancelled')
  if (outer?.aborted) onAbort()
  outer?.addEventListener('abort', onAbort, { once: true })

  const settled = settle(work, controller.signal)
  const first = await Promise.race([settled, stopped])
  clearTimeout(timer)
  outer?.removeEventListener('abort', onAbort)
  if (typeof first !== 'string') return first
  controller.abort(
    new DOMException(first === 'timeout' ? 'the deadline has passed' : 'the call was cancelled', 'AbortError'),
  )
  return { kind: first, late: settled }
}

async function settle<T>(work: (signal: AbortSignal) => Promise<T> | T, signal: AbortSignal): Promise<Deadlined<T>> {
  try {
    return { kind: 'returned', value: await work(signal) }
  } catch (error) {
    return { kind: 'threw', error }
  }
}
